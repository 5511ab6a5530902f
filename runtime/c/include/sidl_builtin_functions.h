/*
 * sidl_builtin_functions.h: built-in functions that every class and interface has, written once.
 *
 * Included by the C header of each, with these macros set (and unset again at the end):
 *
 *     SIDL_BUILTIN_F(f)      the name of function f:   demo_Solver__##f
 *     SIDL_BUILTIN_SELF      the type of an object:    struct demo_Solver__object*
 *     SIDL_BUILTIN_INFO      its type information:     demo_Solver__info
 *     SIDL_BUILTIN_STATICS   defined if it has static methods
 *
 * No include guard, on purpose.
 */

/** URL under which the object can be reached; the caller frees it. */
SIDL_INLINE char* SIDL_BUILTIN_F(getURL)(SIDL_BUILTIN_SELF self,
                                         struct sidl_BaseInterface__object** _ex) {
  return sidl_get_url(self, _ex);
}

/** True if the object lives in another process. */
SIDL_INLINE sidl_bool SIDL_BUILTIN_F(isRemote)(SIDL_BUILTIN_SELF self,
                                               struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  return sidl_is_remote(self);
}

/** True if the object lives in this process. */
SIDL_INLINE sidl_bool SIDL_BUILTIN_F(isLocal)(SIDL_BUILTIN_SELF self,
                                              struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  return !sidl_is_remote(self);
}

/** Calls a method by its long name: arguments from `inArgs`, results to `outArgs`. */
SIDL_INLINE void SIDL_BUILTIN_F(exec)(SIDL_BUILTIN_SELF self, const char* methodName,
                                      struct sidl_rmi_Call__object* inArgs,
                                      struct sidl_rmi_Return__object* outArgs,
                                      struct sidl_BaseInterface__object** _ex) {
  sidl_exec(self, methodName, inArgs, outArgs, _ex);
}

/** As connect; without `ar` the URL came with a reference, which is taken over. */
SIDL_INLINE SIDL_BUILTIN_SELF SIDL_BUILTIN_F(connectI)(const char* url, sidl_bool ar,
                                                       struct sidl_BaseInterface__object** _ex) {
  return (SIDL_BUILTIN_SELF)sidl_connect_counted(&SIDL_BUILTIN_INFO, url, ar, _ex);
}

/** Adds a reference, wherever the object lives. */
SIDL_INLINE void SIDL_BUILTIN_F(raddRef)(SIDL_BUILTIN_SELF self,
                                         struct sidl_BaseInterface__object** _ex) {
  struct sidl_BaseInterface__object* const base = (struct sidl_BaseInterface__object*)(void*)self;
  base->d_epv->f_addRef(base->d_object, _ex);
}

/** Switches the object's hooks on or off. */
SIDL_INLINE void SIDL_BUILTIN_F(set_hooks)(SIDL_BUILTIN_SELF self, sidl_bool enable,
                                           struct sidl_BaseInterface__object** _ex) {
  sidl_set_hooks(self, enable, _ex);
}

/** Switches the object's contracts on or off; see sidl_set_contracts. */
SIDL_INLINE void SIDL_BUILTIN_F(set_contracts)(SIDL_BUILTIN_SELF self, sidl_bool enable,
                                               const char* enfFilename, sidl_bool resetCounters,
                                               struct sidl_BaseInterface__object** _ex) {
  sidl_set_contracts(self, enable, enfFilename, resetCounters, _ex);
}

/** Appends the statistics of contract checks to a file; see sidl_dump_stats. */
SIDL_INLINE void SIDL_BUILTIN_F(dump_stats)(SIDL_BUILTIN_SELF self, const char* filename,
                                            const char* prefix,
                                            struct sidl_BaseInterface__object** _ex) {
  sidl_dump_stats(self, filename, prefix, _ex);
}

#ifdef SIDL_BUILTIN_STATICS
/** Switches the hooks of the static methods on or off. */
SIDL_INLINE void SIDL_BUILTIN_F(set_hooks_static)(sidl_bool enable,
                                                  struct sidl_BaseInterface__object** _ex) {
  sidl_set_hooks_static(&SIDL_BUILTIN_INFO, enable, _ex);
}

/** Switches the contracts of the static methods on or off; see sidl_set_contracts. */
SIDL_INLINE void SIDL_BUILTIN_F(set_contracts_static)(sidl_bool enable, const char* enfFilename,
                                                      sidl_bool resetCounters,
                                                      struct sidl_BaseInterface__object** _ex) {
  sidl_set_contracts_static(&SIDL_BUILTIN_INFO, enable, enfFilename, resetCounters, _ex);
}

/** Appends the statistics of the static methods to a file; see sidl_dump_stats. */
SIDL_INLINE void SIDL_BUILTIN_F(dump_stats_static)(const char* filename, const char* prefix,
                                                   struct sidl_BaseInterface__object** _ex) {
  sidl_dump_stats_static(&SIDL_BUILTIN_INFO, filename, prefix, _ex);
}
#endif

#undef SIDL_BUILTIN_F
#undef SIDL_BUILTIN_SELF
#undef SIDL_BUILTIN_INFO
#undef SIDL_BUILTIN_STATICS
