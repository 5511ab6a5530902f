"""Python as the host of classes in Fortran."""

import fam
import packs
import pets

dog = fam.Dog()
dog.feed(2)
assert dog.fed() == 2
assert dog.describe() == "a dog, no animal on 4 legs"
try:
    dog.feed(0)
except fam.Hungry as hungry:
    assert hungry.bowls() == 7 and "an empty bowl" in str(hungry)
else:
    raise AssertionError("fed nothing")
hound = packs.Hound()
assert isinstance(hound, pets.Terrier)
assert hound.name() == "hound, terrier, dog, no animal"
assert fam.Animal().ask(hound, "you") == "wuff, you, says the hound, terrier, dog, no animal"
del dog, hound
assert fam.Animal.alive() == 0
