struct heirs_Base__data {
  /* DO-NOT-DELETE splicer.begin(heirs.Base._data) */
  char* text;
  int is_ready;
  /* DO-NOT-DELETE splicer.end(heirs.Base._data) */
};
