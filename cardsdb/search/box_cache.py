"""What a process makes of somebody's boxes and keeps by their state, so that it is made once a change and not
once a search.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, Protocol, TypeVar

from cardsdb.models.own import Boxes


class Sized(Protocol):
    @property
    def bytes(self) -> int:
        """About so many bytes it takes in memory."""


T = TypeVar("T", bound=Sized)
# The boxes, what else it is made of, and which part of that.
_Key = tuple[Boxes, Hashable, Hashable]


class BoxCache(Generic[T]):
    """Values made of boxes, in at most ``max_bytes``: what was used longest ago gives way.

    What was made of an earlier state of the same boxes goes when the next is made.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._kept: OrderedDict[_Key, T] = OrderedDict()
        self._lock = Lock()
        # Of several requests at once one makes a value, and the others wait for it: it may be large.
        self._making = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, boxes: Boxes, make: Callable[[], T], state: Hashable = None, part: Hashable = None) -> T:
        """What ``make`` makes of these boxes in this ``state`` of whatever else it is made of, a ``part`` of
        it.
        """
        key = (boxes, state, part)
        found = self._find(key)
        if found is None:
            with self._making:
                found = self._find(key)
                if found is None:
                    found = make()
                    self._keep(key, found)
        return found

    def _find(self, key: _Key) -> T | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: _Key, made: T) -> None:
        boxes, state, _ = key
        pks = [pk for pk, _ in boxes]
        with self._lock:
            for other in [
                other
                for other in self._kept
                if other[:2] != (boxes, state) and [pk for pk, _ in other[0]] == pks
            ]:
                del self._kept[other]
            self._kept[key] = made
            total = sum(one.bytes for one in self._kept.values())
            while len(self._kept) > 1 and total > self._max_bytes:
                total -= self._kept.popitem(last=False)[1].bytes
