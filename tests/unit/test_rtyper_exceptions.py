"""Exceptions.

Every program runs under CPython and under ``rpython.interpret``.  PYTEST_DONT_REWRITE
"""

from differential import agrees


class AppError(Exception):
    pass


class CodeError(AppError):
    def __init__(self, code):
        self.code = code


class MsgError(AppError):
    def __init__(self, msg, code=7):
        super().__init__(msg)
        self.code = code


class Msg2(MsgError):
    pass


class Deep(Msg2):
    def __init__(self):
        MsgError.__init__(self, "deep", 9)


class Multi(Exception):
    def __init__(self, a, b):
        Exception.__init__(self, a, b)
        self.b = b


class Str(Exception):
    def __str__(self):
        return "custom"


def thrower(i):
    if i == 0:
        raise AppError
    if i == 1:
        raise AppError("m")
    if i == 2:
        raise CodeError(5)
    if i == 3:
        raise MsgError("hello")
    if i == 4:
        raise MsgError("hello", code=3)
    if i == 5:
        raise Msg2("x")
    if i == 6:
        raise Deep()
    if i == 7:
        raise AppError(42)
    if i == 8:
        raise ValueError("v", 3)
    if i == 9:
        raise KeyError("k")
    if i == 10:
        raise KeyError(3)
    if i == 11:
        raise Deep
    if i == 12:
        raise StopIteration
    if i == 13:
        raise StopIteration(4)
    if i == 14:
        raise IndexError()
    if i == 15:
        assert i < 3, "msg"
    if i == 16:
        assert i < 3
    if i == 17:
        assert i < 3, i
    if i == 18:
        raise FileNotFoundError(2, "no such")
    if i == 19:
        raise AttributeError("q")
    if i == 20:
        raise NotImplementedError
    if i == 21:
        raise CodeError(code=6)
    if i == 22:
        raise AppError("m", 3)
    if i == 23:
        raise TypeError("q") from None
    if i == 24:
        raise KeyboardInterrupt
    if i == 25:
        raise SystemExit(3)
    return i


R = [(i,) for i in range(0, 24)] + [(30,)]


@agrees(*R)
def test_what_leaves_the_program(i):
    return thrower(i)


@agrees(*R)
def test_text_and_attributes(i):
    try:
        thrower(i)
    except CodeError as e:
        return "c" + str(e.code) + str(e)
    except MsgError as e:
        return str(e) + str(e.code)
    except AppError as e:
        return "app" + str(e)
    except (KeyError, IndexError) as e:
        return "lookup" + str(e)
    except Exception as e:
        return "exc" + str(e)
    return "none"


@agrees(*R)
def test_names_of_caught_classes(i):
    try:
        thrower(i)
    except Exception as e:
        return type(e).__name__
    return ""


@agrees(*R + [(24,), (25,)])
def test_exception_and_base_exception(i):
    try:
        thrower(i)
    except Exception as e:
        return 1
    except BaseException as e:
        return 2
    return 0


@agrees(*R + [(24,)])
def test_bare_except(i):
    try:
        thrower(i)
    except:
        return 2
    return 0


@agrees(*R)
def test_re_raising(i):
    try:
        try:
            thrower(i)
        except AppError as e:
            if i == 1:
                raise
            if i == 3:
                raise e
            raise ValueError("other") from e
        except ValueError:
            raise
    finally:
        i += 1
    return i


@agrees(*R)
def test_nested_handlers_with_else_and_finally(i):
    log = 0
    try:
        try:
            thrower(i)
            log += 1
        except CodeError as e:
            log += 10
            try:
                thrower(e.code - 2)
            except AppError as f:
                log += 100
                raise f
            finally:
                log += 1000
        else:
            log += 5
        finally:
            log += 10000
    except MsgError as e:
        return log + e.code
    except Exception:
        return -log
    return log


@agrees(*[(i,) for i in range(0, 15)])
def test_handlers_in_a_loop(n):
    total = 0
    for i in range(n):
        try:
            if i == 7:
                continue
            if i == 12:
                break
            total += thrower(i + n)
        except (CodeError, MsgError) as e:
            total += e.code if isinstance(e, MsgError) else e.code * 2
        except Exception:
            total *= 3
            if i == 5:
                break
            continue
        finally:
            total += 1
    return total


def ops(i, x):
    if i == 0:
        return x // 0
    if i == 1:
        return x % 0
    if i == 2:
        return 9223372036854775807 + x
    if i == 3:
        return [x][3]
    if i == 4:
        return 1 << x - 10
    if i == 5:
        return int(float(x) / 0.0)
    if i == 6:
        y = None
        if x > 99:
            y = Deep()
        return y.code
    return x


@agrees(*[(i,) for i in (0, 1, 3, 4, 5, 6, 7)])
def test_exceptions_of_operations(i):
    return ops(i, 3)


@agrees(*[(i,) for i in (0, 1, 3, 4, 5, 6, 7)])
def test_exceptions_of_operations_by_base_class(i):
    try:
        return ops(i, 3)
    except ArithmeticError as e:
        return -1
    except LookupError:
        return -2
    except (ValueError, AttributeError):
        return -3


@agrees(*[(i,) for i in (0, 1, 3, 4, 5, 6, 7)])
def test_messages_of_operations(i):
    try:
        return ops(i, 3)
    except Exception as e:
        return len(str(e))


@agrees(*range(-2, 6))
def test_overflow_caught(i):
    try:
        return (9223372036854775807 + i) * 0
    except OverflowError:
        return 0


@agrees(*range(-2, 6))
def test_exception_init_called_explicitly(i):
    try:
        if i:
            raise Multi(i, 4)
    except Multi as e:
        return str(e) + str(e.b)
    return ""


@agrees(*range(-2, 6))
def test_class_with_its_own_str_uncaught(i):
    if i:
        raise Str("a")
    return ""


@agrees(*range(-2, 6))
def test_exceptions_as_values(i):
    e = AppError("a") if i else CodeError(5)
    if i == 2:
        raise e
    return str(e)


@agrees(*range(-2, 6))
def test_exception_classes_as_values(i):
    e = AppError if i else ValueError
    if i == 2:
        raise e
    if i == 3:
        raise e("q")
    return i


@agrees(*R)
def test_except_with_a_prebuilt_tuple(i):
    try:
        return thrower(i)
    except ERRS as e:
        return -1


ERRS = (AppError, KeyError)


@agrees(*R)
def test_return_in_finally(i):
    try:
        return thrower(i)
    finally:
        return -9


@agrees(*range(-2, 6))
def test_raising_in_else(i):
    try:
        x = 10 // i
    except ZeroDivisionError:
        return -1
    else:
        x = x // (i - 1)
    return x


@agrees(*range(-2, 6))
def test_stop_iteration_as_a_signal(i):
    n = 0
    while True:
        try:
            n += 1
            if n > i:
                raise StopIteration
            if n % 2:
                continue
        except StopIteration:
            break
        finally:
            n += 1
    return n


@agrees(*range(-2, 6))
def test_raising_in_a_handler(i):
    try:
        try:
            raise ValueError("a")
        except ValueError:
            raise KeyError("b")
    except KeyError as e:
        return str(e)


@agrees(*R)
def test_exception_kept_after_the_handler(i):
    saved = None
    try:
        thrower(i)
    except Exception as e:
        saved = e
    if saved is None:
        return "none"
    if isinstance(saved, MsgError):
        return str(saved.code)
    return str(saved)


@agrees(*range(-2, 6))
def test_prebuilt_exception(i):
    if i:
        raise PRE
    return 1


PRE = MsgError("pre", 55)


def raise_prebuilt(i):
    if i:
        raise PRE


@agrees(*range(-2, 6))
def test_identity_of_a_prebuilt_exception(i):
    try:
        raise_prebuilt(i)
    except MsgError as e:
        if e is PRE:
            return str(e) + str(e.code)
    return ""


@agrees(*R)
def test_exception_in_an_f_string(i):
    try:
        thrower(i)
    except Exception as e:
        return f"<{e}>"
    return ""


@agrees(*range(-2, 6))
def test_assertions(i):
    assert i != 2, f"bad {i}"
    assert isinstance(i, int)
    return i


@agrees(*range(-2, 6))
def test_except_with_an_empty_tuple(i):
    try:
        return thrower(i)
    except ():
        return 2
