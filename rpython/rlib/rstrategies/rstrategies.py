"""Strategies: a container that stores its items in a form which fits them all, and changes to a
more general form when an item comes that does not fit.

    class Strategy(metaclass=StrategyMetaclass):
        import_from_mixin(AbstractStrategy)
        import_from_mixin(SafeIndexingMixin)
        def strategy_factory(self):
            return factory

    @strategy()
    class Generic(Strategy):
        import_from_mixin(GenericStrategy)
        def default_value(self):
            return w_nil

    @strategy(generalize=[Generic])
    class Ints(Strategy):
        import_from_mixin(SingleTypeStrategy)
        contained_type = W_Int
        ...                                         wrap, unwrap, default_value

    class W_List:
        make_accessors(strategy="strategy", storage="storage")
        def __init__(self):
            self.strategy = self.storage = None

    factory = StrategyFactory(Strategy)
    factory.set_initial_strategy(w_list, Ints, 3)
    w_list.strategy.store(w_list, 0, w_value)       # of Ints, or of Generic from now on

A strategy is one object for all containers that use it (or, ``singleton=False``, one for each); the
items are in the container, erased, as each strategy class has a pair of functions of its own to put
them there (``rpython.rlib.rerased``).  Strategy classes take their methods with
``import_from_mixin``, so that each has functions of its own for its form of storage.

The design is that of Pape, Felgentreff, Hirschfeld, Gulenko, Bolz: Language-independent storage
strategies for tracing-JIT-based virtual machines, DLS 2015.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from rpython.rlib.objectmodel import not_rpython, specialize
from rpython.rlib.rarithmetic import int_between
from rpython.rlib.rerased import new_erasing_pair
from rpython.rlib.rstrategies.logger import Logger

C = TypeVar("C", bound=type)


def make_accessors(strategy: str = "strategy", storage: str = "storage") -> None:
    """Give the class whose body calls this the methods that a factory reads and writes the two
    attributes of containers with."""
    body = sys._getframe(1).f_locals
    for role, attribute in (("strategy", strategy), ("storage", storage)):
        body[f"_get_{role}"], body[f"_set_{role}"] = _accessors(attribute)


def _accessors(attribute: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def get(self: Any) -> Any:
        return getattr(self, attribute)

    def set(self: Any, value: Any) -> None:
        setattr(self, attribute, value)

    return get, set


class StrategyMetaclass(type):
    """The class of strategy classes: each has its own form of storage."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> StrategyMetaclass:
        erase, unerase = new_erasing_pair(name)

        def get_storage(self: Any, w_self: Any) -> Any:
            return unerase(self.strategy_factory().get_storage(w_self))

        def set_storage(self: Any, w_self: Any, storage: Any) -> None:
            self.strategy_factory().set_storage(w_self, erase(storage))

        own = {
            "_is_strategy": False, "_is_singleton": False, "_generalizations": (),
            "get_storage": get_storage, "set_storage": set_storage,
        }  # fmt: skip
        return type.__new__(cls, name, bases, {**body, **own})


def strategy(
    generalize: Sequence[type] | None = None, singleton: bool = True
) -> Callable[[C], C]:
    """Decorate a class that is a strategy.  ``generalize``: those that it may change to, the most
    special first.  ``singleton``: one object serves all containers."""

    def decorate(cls: C) -> C:
        _declare(cls, tuple(generalize or ()), singleton)
        return cls

    return decorate


def _declare(cls: Any, generalize: tuple[Any, ...], singleton: bool) -> None:
    cls._is_strategy = True
    cls._is_singleton = singleton
    cls._generalizations = generalize
    if generalize:
        candidates = list(generalize)

        def generalized_strategy_for(self: Any, value: Any) -> Any:
            factory = self.strategy_factory()
            for candidate in candidates:
                if factory.strategy_singleton_instance(candidate)._check_can_handle(value):
                    return candidate
            raise ValueError("no strategy is general enough")

        cls.generalized_strategy_for = generalized_strategy_for


class StrategyFactory:
    """Knows the strategies below ``root_class`` and gives them to containers.  Make it when the
    program is imported: it is a constant of the program."""

    def __init__(self, root_class: Any, all_strategy_classes: Sequence[Any] | None = None) -> None:
        if all_strategy_classes is None:
            all_strategy_classes = _classes_below(root_class)
        self.logger = Logger()
        self.strategies = [cls for cls in all_strategy_classes if cls._is_strategy]
        self.strategies.sort(key=_depth, reverse=True)
        for cls in all_strategy_classes:
            _let_convert(root_class, cls)
        for cls in self.strategies:
            cls._strategy_object = self.instantiate_strategy(cls)

    def _freeze_(self) -> bool:
        return True

    def switch_strategy(self, w_self: Any, new_strategy_type: Any, new_element: Any = None) -> Any:
        """Change the strategy of a container and the form of its items; the new strategy."""
        old = self.get_strategy(w_self)
        new = self._strategy_object(new_strategy_type, w_self, old.size(w_self))
        self.set_strategy(w_self, new)
        old._convert_storage_to(w_self, new)
        new.strategy_switched(w_self)
        self.log(w_self, new, old, new_element)
        return new

    def set_initial_strategy(
        self, w_self: Any, strategy_type: Any, size: int, elements: Any = None
    ) -> Any:
        """Give a container its first strategy, room for ``size`` items, and, if they are given,
        the items."""
        assert self.get_strategy(w_self) is None, "the container has a strategy already"
        new = self._strategy_object(strategy_type, w_self, size)
        self.set_strategy(w_self, new)
        new._initialize_storage(w_self, size)
        first = None
        if elements:
            new.store_all(w_self, elements)
            first = elements[0]
        new.strategy_switched(w_self)
        self.log(w_self, new, None, first)
        return new

    def _strategy_object(self, strategy_type: Any, w_self: Any, size: int) -> Any:
        if strategy_type._is_singleton:
            return self.strategy_singleton_instance(strategy_type)
        return self.instantiate_strategy(strategy_type, w_self, size)

    def strategy_type_for(self, objects: Any) -> Any:
        """The most special strategy that can hold all the objects; ValueError: none can."""
        for cls in self.strategies:
            strategy = self.strategy_singleton_instance(cls)
            if all(strategy._check_can_handle(w_object) for w_object in objects):
                return cls
        raise ValueError("no strategy can hold the objects")

    @not_rpython
    def decorate_strategies(self, transitions: dict[Any, Any]) -> None:
        """In place of ``@strategy``, before ``__init__``: class -> those it may change to."""
        for cls, generalize in transitions.items():
            _declare(cls, tuple(generalize or ()), True)

    # -- what subclasses may define ------------------------------------------------------

    def instantiate_strategy(
        self, strategy_type: Any, w_self: Any = None, initial_size: int = 0
    ) -> Any:
        """A new strategy object; for one that is no singleton, of the container ``w_self``."""
        return strategy_type()

    def log(
        self, w_self: Any, new_strategy: Any, old_strategy: Any = None, new_element: Any = None
    ) -> None:
        """Tell the logger, if it is active, that the container has a new strategy."""
        if not self.logger.active:
            return
        old = self.log_string_for_object(old_strategy)
        self.logger.log(
            self.log_string_for_object(new_strategy), new_strategy.size(w_self),
            "Switched" if old_strategy else "Created", old, "",
            self.log_string_for_object(new_element),
        )  # fmt: skip

    @specialize.call_location()
    def log_string_for_object(self, obj: Any) -> str:
        """What the log calls a strategy or an item."""
        return obj.__class__.__name__ if obj else ""

    @specialize.call_location()
    def get_storage(self, obj: Any) -> Any:
        """The erased items of a container."""
        return obj._get_storage()

    @specialize.call_location()
    def set_storage(self, obj: Any, val: Any) -> None:
        obj._set_storage(val)

    def get_strategy(self, obj: Any) -> Any:
        """The strategy of a container; None: it has none yet."""
        return obj._get_strategy()

    def set_strategy(self, obj: Any, val: Any) -> None:
        obj._set_strategy(val)

    def strategy_singleton_instance(self, strategy_class: Any) -> Any:
        """The object of a strategy class that serves all containers."""
        return strategy_class._strategy_object


def _classes_below(cls: Any) -> list[Any]:
    found: list[Any] = []
    for below in cls.__subclasses__():
        found.append(below)
        found += _classes_below(below)
    return found


def _depth(cls: Any, above: tuple[Any, ...] = ()) -> int:
    """How many changes there can be from a strategy on."""
    if cls in above:
        raise ValueError(f"{cls.__name__} generalizes itself")
    return max((1 + _depth(other, (*above, cls)) for other in cls._generalizations), default=0)


def _let_convert(root_class: Any, cls: Any) -> None:
    """Let strategies take over storage from ``cls``: a method of theirs is called that is named
    after it, so that they can treat it specially."""
    name = f"_convert_storage_from_{cls.__name__}"

    def convert_from(self: Any, w_self: Any, previous_strategy: Any) -> None:
        self._convert_storage_from(w_self, previous_strategy)

    def convert_to(self: Any, w_self: Any, new_strategy: Any) -> None:
        getattr(new_strategy, name)(w_self, self)

    convert_from.__name__ = name
    if name not in vars(root_class):
        setattr(root_class, name, convert_from)
    cls._convert_storage_to = convert_to


# -- what strategy classes are made of ---------------------------------------------------


class AbstractStrategy:
    """What all strategies can do.  A subclass has ``strategy_factory(self)``."""

    def strategy_switched(self, w_self: Any) -> None:
        """Called when a container has got this strategy; for subclasses."""

    def store(self, w_self: Any, index0: int, value: Any) -> None:
        raise NotImplementedError

    def fetch(self, w_self: Any, index0: int) -> Any:
        raise NotImplementedError

    def size(self, w_self: Any) -> int:
        raise NotImplementedError

    def insert(self, w_self: Any, index0: int, list_w: Any) -> None:
        """Insert the items before number ``index0``."""
        raise NotImplementedError

    def delete(self, w_self: Any, start: int, end: int) -> None:
        raise NotImplementedError

    def slice(self, w_self: Any, start: int, end: int) -> Any:
        return [self.fetch(w_self, i) for i in range(start, end)]

    def fetch_all(self: Any, w_self: Any) -> Any:
        return self.slice(w_self, 0, self.size(w_self))

    def store_all(self: Any, w_self: Any, elements: Any) -> None:
        """Store the items from number 0 on; the container has the size already."""
        for i, w_element in enumerate(elements):
            # the strategy may be another one since the item before
            self.strategy_factory().get_strategy(w_self).store(w_self, i, w_element)

    def append(self: Any, w_self: Any, list_w: Any) -> None:
        self.insert(w_self, self.size(w_self), list_w)

    def pop(self, w_self: Any, index0: int) -> Any:
        w_item = self.fetch(w_self, index0)
        self.delete(w_self, index0, index0 + 1)
        return w_item

    def _initialize_storage(self, w_self: Any, initial_size: int) -> None:
        raise NotImplementedError

    def _check_can_handle(self, value: Any) -> bool:
        """Can the strategy hold this item?"""
        raise NotImplementedError

    def _convert_storage_to(self, w_self: Any, new_strategy: Any) -> None:
        new_strategy._convert_storage_from(w_self, self)

    def _convert_storage_from(self, w_self: Any, previous_strategy: Any) -> None:
        items_w = previous_strategy.fetch_all(w_self)
        self._initialize_storage(w_self, len(items_w))
        for i, w_item in enumerate(items_w):
            self.store(w_self, i, w_item)

    def generalized_strategy_for(self, value: Any) -> Any:
        """The class of the strategy to change to, for this item; see ``strategy``."""
        raise NotImplementedError

    def _generalize_for_value(self: Any, w_self: Any, value: Any) -> Any:
        cls = self.generalized_strategy_for(value)
        return self.strategy_factory().switch_strategy(w_self, cls, value)

    def _cannot_handle_store(self, w_self: Any, index0: int, value: Any) -> None:
        self._generalize_for_value(w_self, value).store(w_self, index0, value)

    def _cannot_handle_insert(self, w_self: Any, index0: int, list_w: Any) -> None:
        self._generalize_for_value(w_self, list_w[0]).insert(w_self, index0, list_w)


class EmptyStrategy(AbstractStrategy):
    """Of containers without items."""

    def _initialize_storage(self: Any, w_self: Any, initial_size: int) -> None:
        assert initial_size == 0
        self.set_storage(w_self, None)

    def _convert_storage_from(self: Any, w_self: Any, previous_strategy: Any) -> None:
        self.set_storage(w_self, None)

    def _check_can_handle(self, value: Any) -> bool:
        return False

    def fetch(self, w_self: Any, index0: int) -> Any:
        raise IndexError

    def store(self, w_self: Any, index0: int, value: Any) -> None:
        self._cannot_handle_store(w_self, index0, value)

    def insert(self, w_self: Any, index0: int, list_w: Any) -> None:
        self._cannot_handle_insert(w_self, index0, list_w)

    def delete(self: Any, w_self: Any, start: int, end: int) -> None:
        self.check_index_range(w_self, start, end)

    def size(self, w_self: Any) -> int:
        return 0


class SingleValueStrategyStorage:
    """How often the one value is there."""

    _attrs_ = ["size"]

    def __init__(self, size: int = 0) -> None:
        self.size = size


class SingleValueStrategy(AbstractStrategy):
    """Of containers that hold one value any number of times: ``value(self)``."""

    def _initialize_storage(self: Any, w_self: Any, initial_size: int) -> None:
        self.set_storage(w_self, SingleValueStrategyStorage(initial_size))

    def _convert_storage_from(self, w_self: Any, previous_strategy: Any) -> None:
        self._initialize_storage(w_self, previous_strategy.size(w_self))

    def _check_can_handle(self: Any, value: Any) -> bool:
        return value is self.value()

    def fetch(self: Any, w_self: Any, index0: int) -> Any:
        self.check_index_fetch(w_self, index0)
        return self.value()

    def store(self: Any, w_self: Any, index0: int, value: Any) -> None:
        self.check_index_store(w_self, index0)
        if not self._check_can_handle(value):
            self._cannot_handle_store(w_self, index0, value)

    def delete(self: Any, w_self: Any, start: int, end: int) -> None:
        self.check_index_range(w_self, start, end)
        self.get_storage(w_self).size -= end - start

    def size(self: Any, w_self: Any) -> int:
        size: int = self.get_storage(w_self).size
        return size

    def insert(self: Any, w_self: Any, index0: int, list_w: Any) -> None:
        for i, w_item in enumerate(list_w):
            if not self._check_can_handle(w_item):
                self._cannot_handle_insert(w_self, index0 + i, list_w[i:])
                return
            self.get_storage(w_self).size += 1


class StrategyWithStorage(AbstractStrategy):
    """Of containers with a list of what ``_unwrap`` makes of the items and ``_wrap`` turns back.
    A subclass has ``default_value(self)``, the item that new places hold."""

    def _initialize_storage(self: Any, w_self: Any, initial_size: int) -> None:
        default = self._unwrap(self.default_value())
        self.set_storage(w_self, [default] * initial_size)

    def _convert_storage_from(self: Any, w_self: Any, previous_strategy: Any) -> None:
        size = previous_strategy.size(w_self)
        storage = [self._unwrap(previous_strategy.fetch(w_self, i)) for i in range(size)]
        self.set_storage(w_self, storage)

    def store(self: Any, w_self: Any, index0: int, value: Any) -> None:
        self.check_index_store(w_self, index0)
        if self._check_can_handle(value):
            self.get_storage(w_self)[index0] = self._unwrap(value)
        else:
            self._cannot_handle_store(w_self, index0, value)

    def fetch(self: Any, w_self: Any, index0: int) -> Any:
        self.check_index_fetch(w_self, index0)
        return self._wrap(self.get_storage(w_self)[index0])

    def _wrap(self, value: Any) -> Any:
        raise NotImplementedError

    def _unwrap(self, value: Any) -> Any:
        raise NotImplementedError

    def size(self: Any, w_self: Any) -> int:
        return len(self.get_storage(w_self))

    def insert(self: Any, w_self: Any, index0: int, list_w: Any) -> None:
        index0 = min(index0, self.size(w_self))
        for i, w_item in enumerate(list_w):
            if not self._check_can_handle(w_item):
                self._cannot_handle_insert(w_self, index0 + i, list_w[i:])
                return
            self.get_storage(w_self).insert(index0 + i, self._unwrap(w_item))

    def delete(self: Any, w_self: Any, start: int, end: int) -> None:
        self.check_index_range(w_self, start, end)
        assert start >= 0 and end >= 0
        del self.get_storage(w_self)[start:end]


class GenericStrategy(StrategyWithStorage):
    """Holds every item as it is."""

    def _wrap(self, value: Any) -> Any:
        return value

    def _unwrap(self, value: Any) -> Any:
        return value

    def _check_can_handle(self, value: Any) -> bool:
        return True


class WeakGenericStrategy(StrategyWithStorage):
    """Holds every item weakly; the default value stands for a dead one."""

    def _wrap(self: Any, value: Any) -> Any:
        return value() or self.default_value()

    def _unwrap(self, value: Any) -> Any:
        assert value is not None
        return weakref.ref(value)

    def _check_can_handle(self, value: Any) -> bool:
        return True


class SpecializedStrategy(StrategyWithStorage):
    """Holds what ``unwrap(self, w_item)`` gives; ``wrap(self, value)`` turns it back."""

    def _unwrap(self: Any, value: Any) -> Any:
        return self.unwrap(value)

    def _wrap(self: Any, value: Any) -> Any:
        return self.wrap(value)


class SingleTypeStrategy(SpecializedStrategy):
    """Holds instances of the class ``contained_type``."""

    def _check_can_handle(self: Any, value: Any) -> bool:
        return isinstance(value, self.contained_type)


class TaggingStrategy(SingleTypeStrategy):
    """Holds one other object, too: ``wrapped_tagged_value(self)``, for which it stores
    ``unwrapped_tagged_value(self)``."""

    def _check_can_handle(self: Any, value: Any) -> bool:
        if value is self.wrapped_tagged_value():
            return True
        if not isinstance(value, self.contained_type):
            return False
        return bool(self.unwrap(value) != self.unwrapped_tagged_value())

    def _unwrap(self: Any, value: Any) -> Any:
        if value is self.wrapped_tagged_value():
            return self.unwrapped_tagged_value()
        return self.unwrap(value)

    def _wrap(self: Any, value: Any) -> Any:
        if value == self.unwrapped_tagged_value():
            return self.wrapped_tagged_value()
        return self.wrap(value)


class SafeIndexingMixin:
    """Raises IndexError for places that the container does not have."""

    def check_index_store(self: Any, w_self: Any, index0: int) -> None:
        self.check_index(w_self, index0)

    def check_index_fetch(self: Any, w_self: Any, index0: int) -> None:
        self.check_index(w_self, index0)

    def check_index_range(self: Any, w_self: Any, start: int, end: int) -> None:
        if not 0 <= start <= end <= self.size(w_self):
            raise IndexError

    def check_index(self: Any, w_self: Any, index0: int) -> None:
        if not int_between(0, index0, self.size(w_self)):
            raise IndexError


class UnsafeIndexingMixin:
    """Leaves indices to the list that holds the items."""

    def check_index_store(self, w_self: Any, index0: int) -> None:
        pass

    def check_index_fetch(self, w_self: Any, index0: int) -> None:
        pass

    def check_index_range(self, w_self: Any, start: int, end: int) -> None:
        pass
