"""Contracts of ledger.Account, violated and not; LEDGER: the class, LEDGER_SERVER: its server."""

import importlib
import os

import numpy as np
import pytest
import sidl

PACKAGE = os.environ["LEDGER"]
SERVER = os.environ.get("LEDGER_SERVER", "")
Account = importlib.import_module(PACKAGE).Account


@pytest.fixture
def account():
    return Account.create(SERVER) if SERVER else Account()


def violated(exception, clause, *values):
    """The exception is of a clause, and names these values."""
    note = exception.value.getNote()
    assert f"'{clause}' of {PACKAGE}.Account" in note
    for value in values:
        assert value in note
    return note


def test_what_keeps_its_contract(account):
    account.deposit(50)
    assert account.withdraw(20) == 30
    assert account.balance() == 30
    values, log = account.sorted(np.array([3.0, 1.0, 2.0]), "")
    assert list(values) == [1, 2, 3] and log == "sorted"
    assert account.total(np.ones((2, 3)), 2, 3, 2, 0) == 12
    assert Account.twice(4) == 8
    assert account.limit() == 100


def test_preconditions(account):
    with pytest.raises(sidl.PreViolation) as caught:
        account.deposit(-5)
    assert violated(caught, "positive", "amount is -5").endswith("(ledger.sidl:14)")
    with pytest.raises(sidl.PreViolation) as caught:
        account.withdraw(101)
    violated(caught, "covered", "balance() - amount >= -limit()")
    assert account.balance() == 0  # nothing has run
    with pytest.raises(sidl.PreViolation) as caught:
        account.sorted(np.array([3.0, -1.0]), "")
    violated(caught, "sensible", "an array of 2 (3, -1)")
    with pytest.raises(sidl.PreViolation) as caught:
        account.total(np.ones((2, 3)), 2, 3, -1, 0)
    violated(caught, "scaled", "scale is -1")
    with pytest.raises(sidl.PreViolation) as caught:
        account.total(np.ones((2, 3)), 2, 3, 2**62, 0)
    violated(caught, "scaled", "an integer overflows")


def test_postconditions(account):
    account.deposit(50)
    with pytest.raises(sidl.PostViolation) as caught:
        account.withdraw(13)
    violated(caught, "rest", "the result is 0.5")
    with pytest.raises(sidl.PostViolation) as caught:
        account.sorted(np.array([13.0, 1.0]), "before")
    violated(caught, "ascending", "the result is an array of 2 (13, 1)")
    with pytest.raises(sidl.PostViolation) as caught:
        account.sorted(np.zeros(0), "before")
    violated(caught, "longer")
    with pytest.raises(sidl.PostViolation) as caught:
        account.total(np.ones((2, 3)), 2, 3, 1, 1)
    violated(caught, "near")


def test_static_methods():
    """On the caller's side, as they have no object elsewhere."""
    if SERVER:
        pytest.skip("a static method is called where the caller is")
    with pytest.raises(sidl.PreViolation) as caught:
        Account.twice(2_000_000_000)
    violated(caught, "small", "i is 2000000000")
    with pytest.raises(sidl.PostViolation) as caught:
        Account.twice(13)
    violated(caught, "doubled", "the result is 0")


def test_invariants(account):
    with pytest.raises(sidl.InvViolation) as caught:
        account.spoil()
    violated(caught, "solvent", "does not hold after spoil")
    with pytest.raises(sidl.InvViolation) as caught:
        account.balance()
    violated(caught, "solvent", "after balance")


def test_an_exception_is_kept(account):
    """That the invariant does not hold any more is in its trace."""
    with pytest.raises(sidl.SIDLException) as caught:
        account.crash()
    assert type(caught.value) is sidl.SIDLException
    assert caught.value.getNote() == "it crashed"
    assert "'solvent'" in caught.value.getTrace()


def test_in_the_midst_of_something(account):
    """What the object calls itself meanwhile finds the invariant violated, and is no violation."""
    account.deposit(80)
    assert account.halve() == 40
    assert account.balance() == 40
