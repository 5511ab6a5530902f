/*
 * What programs asked of the runtime library itself.
 */
#include <stdlib.h>
#include <string.h>
#include "sidl.h"
#include "sidlOps.h"
#include "sidl_Exception.h"
#include "sidl_SIDLException.h"
#include "sidl_String.h"
#include "sidl_BaseClass.h"
#include "sidl_MemAllocException.h"
#include "babel_config.h"
#include "clients.h"

#define sidlAssert(COND) check((COND), #COND, __FILE__, __LINE__)

static int ended = 0;
static sidl_BaseClass kept;
static void at_end(void *data) { *(int *)data = 1; }

static int equal_and_free(char *made, const char *expected) {
  const int equal = sidl_String_equals(made, expected);
  sidl_String_free(made);
  return equal;
}

static void test_strings(void) {
  sidl_BaseInterface ex = NULL;
  char buffer[20], *s = (char *)sidl_String_alloc(10);
  sidl_String_strcpy(s, "abcabc");
  sidlAssert(sidl_String_strlen(s) == 6);
  sidl_String_replace(s, 'b', '-');
  sidlAssert(equal_and_free(s, "a-ca-c"));
  sidlAssert(sidl_String_strdup(NULL) == NULL);
  sidlAssert(equal_and_free(sidl_String_strdup(""), ""));
  sidlAssert(equal_and_free(sidl_String_strndup("abcdef", 3), "abc"));
  sidlAssert(sidl_String_equals(NULL, NULL) && !sidl_String_equals(NULL, ""));
  sidlAssert(sidl_String_endsWith("stub.cxx", ".cxx") && !sidl_String_endsWith("a", "ba"));
  sidlAssert(sidl_String_startsWith("stub.cxx", "stub") && !sidl_String_startsWith("a", "ab"));
  sidlAssert(equal_and_free(sidl_String_substring("abcdef", 4), "ef"));
  sidlAssert(equal_and_free(sidl_String_concat2("a", "b"), "ab"));
  sidlAssert(equal_and_free(sidl_String_concat3("a", "b", "c"), "abc"));
  sidlAssert(equal_and_free(sidl_String_concat4("a", "b", "c", "d"), "abcd"));
  sidlAssert(equal_and_free(sidl_String_concat2_ex("a", "b", &ex), "ab") && !ex);
  sidlAssert(equal_and_free(sidl_String_concat3_ex("a", "b", "c", &ex), "abc") && !ex);
  sidlAssert(equal_and_free(sidl_String_concat4_ex("a", "b", "c", "d", &ex), "abcd") && !ex);
  sidlAssert(equal_and_free(sidl_String_strdup_ex("x", &ex), "x") && !ex);
  sidlAssert(equal_and_free(sidl_String_strndup_ex("xyz", 2, &ex), "xy") && !ex);
  sidl_String_free(sidl_String_alloc_ex(3, &ex));
  sidl_String_free(NULL);
  sidlAssert(!ex);
  sidl_String_strcpy(buffer, "12345");
  sidlAssert(strlen(buffer) == 5);
}

static void test_exceptions(void) {
  sidl_BaseInterface ex = NULL, other = NULL;
  char *trace;
  SIDL_THROW(ex, sidl_SIDLException, "made here");
EXIT:
  sidlAssert(SIDL_CATCH(ex, "sidl.SIDLException"));
  sidl_update_exception(ex, "elsewhere.c", 12, "somebody");
  {
    sidl_BaseException base = sidl_BaseException__cast(ex, &other);
    trace = sidl_BaseException_getTrace(base, &other);
    sidlAssert(strstr(trace, "elsewhere.c") && strstr(trace, "runtime.c"));
    sidl_String_free(trace);
    sidl_BaseException_addLine(base, "one more line", &other);
    sidl_BaseException_deleteRef(base, &other);
  }
  sidl_report_exception(ex);
  sidl_report_exception(NULL);
  sidl_update_exception(NULL, "", 0, "");
  sidlAssert(!SIDL_CATCH(NULL, "sidl.SIDLException"));
  SIDL_CLEAR(ex);
  SIDL_CLEAR(ex);
  sidlAssert(!ex && !other);
}

static void test_policy(void) {
  sidl_BaseInterface ex = NULL;
  char *name;
  sidlAssert(sidl_EnfPolicy_getEnforceFreq(&ex) == sidl_EnforceFreq_NEVER);
  sidl_EnfPolicy_setEnforceAll(sidl_ContractClass_PRECONDS, TRUE, &ex);
  sidlAssert(!ex && sidl_EnfPolicy_areEnforcing(&ex));
  sidlAssert(sidl_EnfPolicy_getEnforceFreq(&ex) == sidl_EnforceFreq_ALWAYS);
  sidlAssert(sidl_EnfPolicy_getContractClass(&ex) == sidl_ContractClass_PRECONDS);
  sidl_EnfPolicy_setPolicy(sidl_ContractClass_ALLCLASSES, sidl_EnforceFreq_PERIODIC, 5, 0.1, 0.2,
                           0.3, FALSE, &ex);
  sidlAssert(!ex && sidl_EnfPolicy_getSamplingInterval(&ex) == 5);
  sidlAssert(sidl_EnfPolicy_getOverheadLimit(&ex) == 0.1);
  sidlAssert(sidl_EnfPolicy_getAppAvgPerCall(&ex) == 0.2);
  sidlAssert(sidl_EnfPolicy_getAnnealLimit(&ex) == 0.3);
  name = sidl_EnfPolicy_getPolicyName(FALSE, &ex);
  sidlAssert(equal_and_free(name, "ALLCLASSES, PERIODIC"));
  name = sidl_EnfPolicy_getPolicyName(TRUE, &ex);
  sidlAssert(equal_and_free(name, "All-Per"));
  sidl_EnfPolicy_dumpStats("policy.stats", "the program", "at the end", FALSE, &ex);
  sidlAssert(!ex);
  sidl_EnfPolicy_setPolicy(sidl_ContractClass_ALLCLASSES, sidl_EnforceFreq_PERIODIC, 0, 0, 0, 0,
                           FALSE, &ex);
  sidlAssert(ex && SIDL_CATCH(ex, "sidl.SIDLException"));
  SIDL_CLEAR(ex);
  sidl_EnfPolicy_setEnforceNone(TRUE, &ex);
  sidlAssert(!ex && !sidl_EnfPolicy_areEnforcing(&ex));
  sidlAssert(sidl_ClauseType_INVARIANT != sidl_ClauseType_PRECONDITION);
  sidlAssert(sidl_EnfTraceLevel_NONE == 0);
}

static void test_finder(void) {
  sidl_BaseInterface ex = NULL;
  sidl_Finder finder = sidl_Loader_getFinder(&ex), mine;
  sidl_DFinder own;
  sidl_DLL dll;
  char *path;
  sidlAssert(!ex && finder);
  sidl_Loader_setSearchPath("/no/where", &ex);
  path = sidl_Finder_getSearchPath(finder, &ex);
  sidlAssert(equal_and_free(path, "/no/where"));
  own = sidl_DFinder__create(&ex);
  sidl_DFinder_setSearchPath(own, "/some/where", &ex);
  sidl_DFinder_addSearchPath(own, "/else", &ex);
  mine = sidl_Finder__cast(own, &ex);
  sidl_Loader_setFinder(mine, &ex);
  sidlAssert(!ex);
  path = sidl_Loader_getSearchPath(&ex);
  sidlAssert(equal_and_free(path, "/some/where;/else"));
  dll = sidl_Loader_findLibrary("no.Such", "ior/impl", sidl_Scope_SCLSCOPE, sidl_Resolve_SCLRESOLVE,
                                &ex);
  sidlAssert(!dll && !ex);
  sidl_Loader_setFinder(finder, &ex);
  path = sidl_Loader_getSearchPath(&ex);
  sidlAssert(equal_and_free(path, "/no/where"));
  sidl_Loader_setFinder(NULL, &ex);
  sidlAssert(!ex);
  sidl_Finder_deleteRef(mine, &ex);
  sidl_DFinder_deleteRef(own, &ex);
  sidl_Finder_deleteRef(finder, &ex);
}

static void test_connect_registry(void) {
  sidl_BaseInterface ex = NULL;
  sidl_rmi_ConnectRegistry_registerConnect("no.Such", (void *)&ended, &ex);
  sidlAssert(!ex && sidl_rmi_ConnectRegistry_getConnect("no.Such", &ex) == (void *)&ended);
  sidlAssert(sidl_rmi_ConnectRegistry_getConnect("no.Other", &ex) == NULL);
  sidlAssert(sidl_rmi_ConnectRegistry_removeConnect("no.Such", &ex) == (void *)&ended);
  sidlAssert(sidl_rmi_ConnectRegistry_getConnect("no.Such", &ex) == NULL && !ex);
}

/* As constructors do it that have no memory. */
static void test_no_memory(void) {
  sidl_BaseInterface ex = NULL, thrown;
  sidl_MemAllocException it = sidl_MemAllocException_getSingletonException(&ex);
  sidl_MemAllocException again = sidl_MemAllocException_getSingletonException(&ex);
  sidlAssert(!ex && it && it == again);
  sidl_MemAllocException_setNote(it, "Out of memory.", &ex);
  sidlAssert(!ex);
  sidl_MemAllocException_add(it, __FILE__, __LINE__, "pkg.K._ctor", &ex);
  sidlAssert(!ex);
  thrown = (sidl_BaseInterface)it;
  sidlAssert(SIDL_CATCH(thrown, "sidl.MemAllocException"));
  sidl_MemAllocException_deleteRef(it, &ex);
  sidl_MemAllocException_deleteRef(again, &ex);
}

static void test_class_info(void) {
  sidl_BaseInterface ex = NULL;
  sidl_ClassInfoI made = sidl_ClassInfoI__create(&ex);
  sidl_ClassInfo info;
  sidl_ClassInfoI_setName(made, "pkg.K", &ex);
  sidl_ClassInfoI_setName(made, "pkg.Other", &ex);
  sidl_ClassInfoI_setVersion(made, "1.2", &ex);
  sidl_ClassInfoI_setIORVersion(made, 2, 7, &ex);
  info = sidl_ClassInfo__cast(made, &ex);
  sidlAssert(!ex && info);
  sidlAssert(equal_and_free(sidl_ClassInfo_getName(info, &ex), "pkg.Other"));
  sidlAssert(equal_and_free(sidl_ClassInfo_getVersion(info, &ex), "1.2"));
  sidlAssert(equal_and_free(sidl_ClassInfo_getIORVersion(info, &ex), "2.7"));
  sidl_ClassInfo_deleteRef(info, &ex);
  sidl_ClassInfoI_deleteRef(made, &ex);
}

static void test_trace(void) {
  sidl_BaseInterface ex = NULL;
  sidlAssert(!sidl_EnfPolicy_areTracing(&ex));
  sidl_EnfPolicy_startTrace("runtime.trace", sidl_EnfTraceLevel_BASIC, &ex);
  sidlAssert(!ex && sidl_EnfPolicy_areTracing(&ex));
  sidlAssert(sidl_EnfPolicy_getTraceLevel(&ex) == sidl_EnfTraceLevel_BASIC);
  sidl_EnfPolicy_logTrace("a comment", &ex);
  sidl_EnfPolicy_endTrace(&ex);
  sidlAssert(!ex && !sidl_EnfPolicy_areTracing(&ex));
  remove("runtime.trace");
}

void test_runtime(void) {
  sidl_BaseInterface ex = NULL;
  void *memory = sidl_malloc(10, "no memory", __FILE__, __LINE__, "test_runtime", &ex);
  sidl_BaseClass object = sidl_BaseClass__create(&ex);
  enum sidl_babel_lang_t language = BABEL_LANG_C;
  sidlAssert(memory != NULL && ex == NULL && language != BABEL_LANG_CPP);
  sidlAssert(BABEL_LANG_UNDEF == 0 && BABEL_LANG_F03 > BABEL_LANG_JAVA);
  sidlAssert(BABEL_LANG_F77 != BABEL_LANG_F90 && BABEL_LANG_PYTHON);
  sidlAssert(TRUE && !FALSE);
  free(memory);
  sidl_atexit(at_end, &ended);
  kept = object;
  sidl_atexit(sidl_deleteRef_atexit, &kept);
  sidl_checkIORVersion("a class", 2, 0, 2, 0);
  test_strings();
  test_exceptions();
  test_policy();
  test_finder();
  test_connect_registry();
  test_no_memory();
  test_class_info();
  test_trace();
}
