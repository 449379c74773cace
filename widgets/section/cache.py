"""What have other sessions worked out already?

A small shelf for a whole process: the values that were used last stay, the others go.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Shared(Generic[T]):
    """Values by key; nobody may change one.

    Args:
        places: how many are kept.
    """

    def __init__(self, places: int) -> None:
        self.places = places
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the value of `key`, made if it is not there."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        value = make()  # without the lock: two that come at once both make it
        with self._lock:
            self._kept[key] = value
            if len(self._kept) > self.places:
                self._kept.popitem(last=False)
        return value
