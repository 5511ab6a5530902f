/* DO-NOT-DELETE splicer.begin(heirs.Heir.thrice) */
return heirs_Heir_twice(self, i, _ex) + i;
/* DO-NOT-DELETE splicer.end(heirs.Heir.thrice) */
