"""What the cases have in common."""

import numpy as np
import sidl
from sidl.par import DistributionException


def pieces(distribution, rank):
    """The piece of an array in which each element is ten times its row, and its column."""
    lengths = distribution.getLengths(rank)
    result = np.zeros(lengths)
    for place in np.ndindex(*lengths):
        row, column = distribution.getIndex(rank, list(place))
        result[place] = 10 * row + column
    return result


def failing(call, *texts, disagree=False, kind=sidl.BaseException):
    """The note of the exception, which is of this kind and has one of these texts."""
    try:
        call()
    except sidl.BaseException as failure:
        note = failure.getNote()
        assert any(text in note for text in texts), note
        assert isinstance(failure, DistributionException if disagree else kind), type(failure)
        return note
    raise AssertionError("it has not failed")


def said(word):
    return [f"({word}", f"{word})"]
