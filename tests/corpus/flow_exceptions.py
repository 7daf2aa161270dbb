"""try, except, else, finally, raise, with."""

from corpus import Boom, Log, SmallBoom, check, runs

EACH = tuple((n,) for n in range(6))


@runs(({"a": 1}, "a"), ({"a": 1}, "b"))
def try_except(d, k):
    try:
        return d[k]
    except KeyError:
        return "missing"


@runs(*EACH)
def try_except_as(x):
    try:
        return check(x)
    except KeyError as e:
        return str(e)


@runs(*EACH)
def try_several(x):
    try:
        r = check(x)
    except KeyError:
        r = "key"
    except ValueError as e:
        r = f"value {e}"
    except Boom:
        r = "boom"
    return r


@runs(*EACH)
def try_tuple(x):
    try:
        return check(x)
    except (KeyError, ValueError) as e:
        return type(e).__name__


@runs(*EACH)
def try_special_first(x):
    try:
        return check(x)
    except SmallBoom:
        return "small"
    except Boom:
        return "boom"
    except LookupError:
        return "lookup"


@runs(*EACH)
def try_bare(x):
    try:
        return check(x)
    except:  # noqa: E722
        return "anything"


@runs(*EACH)
def try_pass(x):
    r = 0
    try:
        r = check(x)
    except KeyError:
        pass
    return r


@runs(*EACH)
def try_else(x):
    try:
        r = check(x)
    except KeyError:
        r = "key"
    else:
        r += check(r // 10 - 8)
    return r


@runs(*EACH)
def try_finally(x):
    log = []
    try:
        log.append(check(x))
    finally:
        log.append("end")
    return log


@runs(*EACH)
def finally_prints(x):
    try:
        check(x)
    finally:
        print("end", x)


@runs(*EACH)
def return_in_try_finally(x):
    try:
        return check(x)
    finally:
        print("end")


@runs(*EACH)
def return_in_finally(x):
    try:
        check(x)
    finally:
        return "swallowed"  # noqa: B012


@runs(*EACH)
def try_except_else_finally(x):
    log = []
    try:
        log.append(check(x))
    except KeyError:
        log.append("key")
    except ValueError:
        log.append("value")
        return log
    else:
        log.append("else")
    finally:
        log.append("finally")
        print(log)
    return log


@runs(*EACH)
def nested_try(x):
    try:
        try:
            return check(x)
        except KeyError:
            return "inner key"
    except (KeyError, Boom):
        return "outer"


@runs(*EACH)
def raise_in_except(x):
    try:
        try:
            return check(x)
        except KeyError:
            raise ValueError("changed")  # noqa: B904
    except ValueError as e:
        return str(e)


@runs(*EACH)
def reraise(x):
    try:
        return check(x)
    except KeyError:
        print("seen")
        raise


@runs(*EACH)
def reraise_only(x):
    try:
        return check(x)
    except KeyError:
        raise


@runs(*EACH)
def reraise_value(x):
    try:
        return check(x)
    except Boom as e:
        raise e


@runs(*EACH)
def reraise_conditionally(x):
    try:
        return check(x)
    except Exception as e:
        if isinstance(e, KeyError):
            raise
        return "other"


@runs(*EACH)
def raise_from(x):
    try:
        return check(x)
    except KeyError as e:
        raise Boom("from") from e


@runs((0,), (1,))
def raise_class(x):
    if x:
        raise Boom
    return x


@runs((0,), (1,))
def raise_instance(x):
    if x:
        raise Boom("text", x)
    return x


@runs((Boom("given"),), (KeyError,))
def raise_argument(e):
    raise e


@runs((0,), (1,), (2,))
def raise_and_catch(x):
    try:
        if x == 1:
            raise KeyError(x)
        if x == 2:
            raise Boom(x)
    except KeyError as e:
        return e.args
    return "no"


@runs(([3, 0, 1, 2],), ([],))
def try_in_loop(items):
    r = []
    for x in items:
        try:
            r.append(check(x))
        except KeyError:
            r.append("key")
            continue
        except ValueError:
            break
        r.append("ok")
    return r


@runs(([7, 0, 1, 2],), ([7, 8],))
def loop_in_try(items):
    r = []
    try:
        for x in items:
            r.append(check(x))
    except KeyError:
        r.append("key")
    return r


@runs((5,), (None,))
def iterate_in_try(items):
    try:
        for _ in items:
            pass
    except TypeError:
        return "not iterable"
    return "fine"


@runs(([0, 1, 2],), ([0],), ([4],))
def break_through_finally(items):
    r = []
    for x in items:
        try:
            if x == 2:
                break
            if x == 1:
                continue
            r.append(check(x))
        finally:
            r.append("f")
    return r


@runs(([1, 2],), ([],))
def finally_in_loop_returns(items):
    for x in items:
        try:
            return x
        finally:
            print("finally", x)
    return "empty"


@runs(*EACH)
def nested_finally(x):
    log = []
    try:
        try:
            check(x)
        finally:
            log.append("inner")
    except KeyError:
        log.append("key")
    finally:
        log.append("outer")
        print(log)
    return log


@runs(([1],), ([],))
def pop_or_default(items):
    try:
        x = items.pop()
    except IndexError:
        x = None
    return x


@runs((1, 0), (4, 2))
def catch_zero_division(a, b):
    try:
        return a // b
    except ZeroDivisionError:
        return 0


@runs(("12",), ("x",))
def parse(text):
    try:
        return int(text)
    except ValueError:
        return None


@runs((3,), (-1,))
def except_binding_ends(x):
    e = "before"
    try:
        if x < 0:
            raise Boom
    except Boom as err:
        e = type(err).__name__
    return e


@runs(*EACH)
def except_around_compare(x):
    try:
        return check(x) < 5 and check(x + 1)
    except Boom:
        return "boom"


@runs(*EACH)
def truth_in_try(x):
    try:
        if check(x):
            return "true"
        return "false"
    except Exception:
        return "error"


@runs(([1], 0), ([], 0), (5, 0))
def subscript_errors(x, i):
    try:
        return x[i]
    except IndexError:
        return "index"
    except TypeError:
        return "type"


@runs((1, 2), (1, "x"))
def two_operations_in_try(a, b):
    try:
        c = a + b
        d = c * c
    except TypeError:
        return a, b
    return c, d


@runs(*EACH)
def with_(x):
    log = Log()
    try:
        with log:
            check(x)
    except KeyError:
        pass
    return log.events


@runs(*EACH)
def with_as(x):
    with Log(Boom) as log:
        log.events.append(check(x))
    return log.events


@runs(*EACH)
def with_return(x):
    with Log(KeyError) as log:
        log.events.append("body")
        return check(x)
    return log.events


@runs(*EACH)
def with_two(x):
    with Log(KeyError) as a, Log(Boom) as b:
        b.events.append(check(x))
        a.events.append(b.events)
    return a.events


@runs(([0, 1, 2, 0],))
def with_in_loop(items):
    r = []
    for x in items:
        with Log(KeyError) as log:
            if x == 2:
                break
            check(x)
        r.append(log.events)
    return r


@runs(*EACH)
def with_and_try(x):
    log = Log()
    try:
        with log:
            try:
                check(x)
            except ValueError:
                log.events.append("inside")
                raise
            finally:
                log.events.append("finally")
    except Exception as e:
        log.events.append(type(e).__name__)
    return log.events


@runs(*EACH)
def handler_in_handler(x):
    try:
        check(x)
    except KeyError:
        try:
            check(x + 1)
        except ValueError:
            return "both"
        return "one"
    return "none"


@runs(*EACH)
def bare_raise_in_nested_handler(x):
    try:
        try:
            check(x)
        except KeyError:
            try:
                check(2)
            except ValueError:
                pass
            raise
    except KeyError as e:
        return e.args
    return "no"


@runs((0,), (1,), (2,))
def finally_after_return_value(x):
    r = [x]
    try:
        r.append(check(x))
        return r
    except KeyError:
        return "key"
    finally:
        r.append("late")


@runs(([3],), ([0],))
def while_true_try(items):
    tries = 0
    while True:
        try:
            tries += 1
            return check(items[0]), tries
        except Boom:
            items[0] = 0


@runs(
    ({"a": 2}, ["a", "b"]),
)
def count_words(counts, words):
    for w in words:
        try:
            counts[w] += 1
        except KeyError:
            counts[w] = 1
    return counts
