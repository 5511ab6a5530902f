/*
 * from_c.c: the cases, by a caller in C. What each prints is the same in every language;
 * test_objects.py says what it has to be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ob.h"
#include "sidl.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

static const char* server;

/* Ends the program: for what cannot fail. */
static void must(sidl_BaseInterface ex) {
  if (ex == NULL) return;
  sidl_report_exception(ex);
  exit(3);
}

/* A new object of a class, where the test wants it. */
#define MADE(Class, ex) \
  (server ? ob_##Class##__createRemote(server, (ex)) : ob_##Class##__create((ex)))

static sidl_BaseClass make(const char* name, sidl_BaseInterface* ex) {
  if (strcmp(name, "L2") == 0) return (sidl_BaseClass)MADE(L2, ex);
  if (strcmp(name, "L4") == 0) return (sidl_BaseClass)MADE(L4, ex);
  if (strcmp(name, "L5") == 0) return (sidl_BaseClass)MADE(L5, ex);
  if (strcmp(name, "L6") == 0) return (sidl_BaseClass)MADE(L6, ex);
  if (strcmp(name, "RelayC") == 0) return (sidl_BaseClass)MADE(RelayC, ex);
  return (sidl_BaseClass)MADE(RelayCxx, ex);
}

static sidl_BaseClass made(const char* name) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseClass object = make(name, &ex);
  must(ex);
  return object;
}

static void drop(void* object) {
  sidl_BaseInterface ex = NULL;
  if (object != NULL) sidl_BaseInterface_deleteRef(object, &ex);
  must(ex);
}

/* Prints a string and frees it. */
static void print(const char* what, char* value, sidl_BaseInterface ex) {
  must(ex);
  printf("%s: %s\n", what, value == NULL ? "" : value);
  sidl_String_free(value);
}

static char* class_of(void* object) {
  sidl_BaseInterface ex = NULL;
  sidl_ClassInfo info = sidl_BaseInterface_getClassInfo(object, &ex);
  must(ex);
  char* name = sidl_ClassInfo_getName(info, &ex);
  must(ex);
  drop(info);
  return name;
}

/* Prints an exception and gives it back. */
static void print_exception(sidl_BaseInterface thrown) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseException exception = sidl_BaseException__cast(thrown, &ex);
  must(ex);
  char* name = class_of(thrown);
  print(name, sidl_BaseException_getNote(exception, &ex), ex);
  char* trace = sidl_BaseException_getTrace(exception, &ex);
  must(ex);
  printf("%s", trace);
  sidl_String_free(trace);
  sidl_String_free(name);
  drop(exception);
  drop(thrown);
}

/* ---- casts ----------------------------------------------------------------------------------- */

/* Each type as the cast function of its header. */
#define EACH_TYPE(_)                          \
  _(ob_L1, "ob.L1")                           \
  _(ob_L2, "ob.L2")                           \
  _(ob_L3, "ob.L3")                           \
  _(ob_L4, "ob.L4")                           \
  _(ob_L5, "ob.L5")                           \
  _(ob_L6, "ob.L6")                           \
  _(ob_Top, "ob.Top")                         \
  _(ob_Left, "ob.Left")                       \
  _(ob_Right, "ob.Right")                     \
  _(ob_Bottom, "ob.Bottom")                   \
  _(ob_Side, "ob.Side")                       \
  _(ob_Deep, "ob.Deep")                       \
  _(ob_Counter, "ob.Counter")                 \
  _(ob_Gauge, "ob.Gauge")                     \
  _(ob_Relay, "ob.Relay")                     \
  _(ob_RelayC, "ob.RelayC")                   \
  _(ob_RelayCxx, "ob.RelayCxx")               \
  _(ob_Oops, "ob.Oops")                       \
  _(sidl_BaseClass, "sidl.BaseClass")         \
  _(sidl_BaseInterface, "sidl.BaseInterface") \
  _(sidl_BaseException, "sidl.BaseException")

#define DEFINE_CAST(Type, name)            \
  static void* cast_##Type(void* object) { \
    sidl_BaseInterface ex = NULL;          \
    Type view = Type##__cast(object, &ex); \
    must(ex);                              \
    return view;                           \
  }
EACH_TYPE(DEFINE_CAST)

struct type {
  const char* name;
  void* (*cast)(void* object);
};

#define TYPE_ENTRY(Type, name) {name, cast_##Type},
static const struct type types[] = {EACH_TYPE(TYPE_ENTRY)};
enum { TYPES = sizeof types / sizeof types[0] };

static void casts(const char* name) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseClass object = made(name);
  for (int t = 0; t < TYPES; ++t) {
    sidl_BaseInterface view = types[t].cast(object);
    const sidl_bool is_type = sidl_BaseClass_isType(object, types[t].name, &ex);
    must(ex);
    const sidl_bool same = view != NULL &&
                           sidl_BaseInterface_isSame(view, (sidl_BaseInterface)object, &ex) &&
                           sidl_BaseClass_isSame(object, view, &ex);
    must(ex);
    printf("%s %s: %s\n", name, types[t].name,
           view != NULL ? same && is_type ? "yes" : "?"
           : is_type    ? "!"
                        : "no");
    drop(view);
  }
  sidl_ClassInfo info = sidl_BaseClass_getClassInfo(object, &ex);
  must(ex);
  char* class_name = sidl_ClassInfo_getName(info, &ex);
  must(ex);
  char* version = sidl_ClassInfo_getVersion(info, &ex);
  must(ex);
  printf("%s: %s %s\n", name, class_name, version);
  sidl_String_free(class_name);
  sidl_String_free(version);
  drop(info);
  printf("is made up: %d\n",
         sidl_BaseClass_isType(object, "ob.L0", &ex) || sidl_BaseClass_isType(object, "", &ex));
  must(ex);
  drop(object);
}

/* Every view of an object seen as every other one, at whatever facet the cast begins. */
static void sideways(void) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseClass object = made("L6");
  int lost = 0;
  for (int from = 0; from < TYPES; ++from) {
    sidl_BaseInterface first = types[from].cast(object);
    for (int to = 0; to < TYPES && first != NULL; ++to) {
      sidl_BaseInterface second = types[to].cast(first);
      const sidl_bool is_type = sidl_BaseInterface_isType(first, types[to].name, &ex);
      must(ex);
      if (is_type != (second != NULL)) ++lost;
      if (second != NULL && !sidl_BaseInterface_isSame(second, first, &ex)) ++lost;
      must(ex);
      drop(second);
    }
    drop(first);
  }
  printf("lost: %d\n", lost);
  drop(object);
}

/* ---- calls ----------------------------------------------------------------------------------- */

#define SAY(Type, object, method) print(#Type "." #method, ob_##Type##_##method((object), &ex), ex)

static void calls_L4(ob_L4 l4) {
  sidl_BaseInterface ex = NULL;
  ob_Counter counter = cast_ob_Counter(l4);
  ob_Gauge gauge = cast_ob_Gauge(l4);
  ob_Bottom bottom = cast_ob_Bottom(l4);
  ob_Right right = cast_ob_Right(bottom);
  SAY(L4, l4, chain);
  SAY(L4, l4, lower);
  SAY(L4, l4, right);
  SAY(L4, l4, over);
  print("L4.overInt", ob_L4_overInt(l4, 7, &ex), ex);
  print("L4.overString", ob_L4_overString(l4, "x", &ex), ex);
  printf("L4.readCount: %d\n", (int)ob_L4_readCount(l4, 1, &ex));
  printf("L4.readValue: %g\n", ob_L4_readValue(l4, 1, &ex));
  printf("Counter.read: %d\n", (int)ob_Counter_read(counter, 1, &ex));
  printf("Gauge.read: %g\n", ob_Gauge_read(gauge, 1, &ex));
  SAY(Bottom, bottom, top);
  SAY(Bottom, bottom, left);
  SAY(Bottom, bottom, right);
  SAY(Bottom, bottom, bottom);
  SAY(Right, right, right);
  drop(counter);
  drop(gauge);
  drop(bottom);
  drop(right);
}

static void calls_deep(ob_Deep deep) {
  sidl_BaseInterface ex = NULL;
  ob_Side side = cast_ob_Side(deep);
  ob_L6 l6 = cast_ob_L6(deep);
  SAY(Deep, deep, deep);
  SAY(Deep, deep, side);
  SAY(Deep, deep, bottom);
  SAY(Deep, deep, top);
  SAY(Side, side, top);
  SAY(L6, l6, deep);
  drop(side);
  drop(l6);
}

static void calls(const char* name) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseClass object = made(name);
  ob_L1 l1 = cast_ob_L1(object);
  ob_L2 l2 = cast_ob_L2(object);
  ob_Top top = cast_ob_Top(object);
  ob_Left left = cast_ob_Left(object);
  ob_L4 l4 = cast_ob_L4(object);
  ob_Deep deep = cast_ob_Deep(object);
  SAY(L1, l1, chain);
  SAY(L1, l1, name);
  SAY(L1, l1, who);
  SAY(L1, l1, sealed);
  SAY(L1, l1, missing);
  SAY(L1, l1, top);
  printf("L1.sum: %ld\n", (long)ob_L1_sum(l1, 0, &ex));
  SAY(L2, l2, chain);
  SAY(L2, l2, left);
  printf("L2.sum: %ld\n", (long)ob_L2_sum(l2, 1, &ex));
  SAY(Top, top, top);
  SAY(Left, left, top);
  SAY(Left, left, left);
  if (l4 != NULL) calls_L4(l4);
  if (deep != NULL) calls_deep(deep);
  printf("L1.sum: %ld\n", (long)ob_L1_sum(l1, 0, &ex));
  drop(l1);
  drop(l2);
  drop(top);
  drop(left);
  drop(l4);
  drop(deep);
  drop(object);
}

static void statics(void) {
  sidl_BaseInterface ex = NULL;
  print("L1", ob_L1_declared(&ex), ex);
  print("L5", ob_L5_fifth("you", &ex), ex);
}

/* ---- lives ----------------------------------------------------------------------------------- */

static ob_Probe new_probe(void) {
  sidl_BaseInterface ex = NULL;
  ob_Probe probe = MADE(Probe, &ex);
  must(ex);
  return probe;
}

static int alive(ob_Probe probe) {
  sidl_BaseInterface ex = NULL;
  const int result = ob_Probe_alive(probe, &ex);
  must(ex);
  return result;
}

/* Another process ends objects in its own time. */
static void wait_for_end(ob_Probe probe) {
  while (alive(probe) != 0) {
  }
}

static void print_log(ob_Probe probe) {
  sidl_BaseInterface ex = NULL;
  char* log = ob_Probe_log(probe, &ex);
  must(ex);
  printf("%s", log);
  sidl_String_free(log);
}

static void life(const char* hook) {
  sidl_BaseInterface ex = NULL;
  ob_Probe probe = new_probe();
  if (strncmp(hook, "load", 4) != 0) {
    drop(made("L6"));
    wait_for_end(probe);
    sidl_String_free(ob_Probe_log(probe, &ex));
  }
  ob_Probe_failAt(probe, hook, &ex);
  for (int i = 0; i < 2; ++i) {
    sidl_BaseClass object = make("L6", &ex);
    if (ex == NULL) {
      printf("made: \n");
    } else {
      print_exception(ex);
    }
    drop(object);
    wait_for_end(probe);
    print_log(probe);
    ob_Probe_failAt(probe, "", &ex);
    must(ex);
  }
  drop(probe);
}

static void wraps(void) {
  sidl_BaseInterface ex = NULL;
  ob_Probe probe = new_probe();
  ob_L1 wrapped = ob_L6_make("wrapped", &ex);
  must(ex);
  printf("wrapped: %ld\n", (long)ob_L1_sum(wrapped, 0, &ex));
  print("wrapped", ob_L1_chain(wrapped, &ex), ex);
  drop(wrapped);
  drop(ob_L6_make("", &ex));
  ob_L1 behind = ob_L6_make("impl", &ex);
  must(ex);
  printf("behind: %ld\n", (long)ob_L1_sum(behind, 0, &ex));
  drop(behind);
  sidl_String_free(ob_Probe_log(probe, &ex));
  printf("alive: %d\n", alive(probe));
  ob_Probe_failAt(probe, "ctor L6", &ex);
  drop(ob_L6_make("wrapped", &ex));
  print_exception(ex);
  printf("alive: %d\n", alive(probe));
  print_log(probe);
  drop(probe);
}

/* An object around an Impl that its owner has deleted. */
static void gone(void) {
  sidl_BaseInterface ex = NULL;
  ob_Probe probe = new_probe();
  ob_L1 l1 = ob_L6_make("wrapped", &ex);
  must(ex);
  ob_Deep deep = ob_Deep__cast(l1, &ex);
  drop(ob_L6_make("", &ex));
  sidl_String_free(ob_Probe_log(probe, &ex));
  printf("alive: %d\n", alive(probe));
  ob_L1_sum(l1, 0, &ex);
  print_exception(ex);
  ob_Deep_top(deep, &ex);
  print_exception(ex);
  ob_Bottom bottom = ob_Bottom__cast(deep, &ex);
  must(ex);
  sidl_BaseInterface base = (sidl_BaseInterface)l1, other = (sidl_BaseInterface)probe;
  printf("same: %d\n", ob_Bottom_isSame(bottom, base, &ex) &&
                           !ob_Bottom_isSame(bottom, other, &ex) &&
                           !ob_Probe_isSame(probe, base, &ex));
  printf("types: %d\n", ob_L1_isType(l1, "ob.Side", &ex) && !ob_L1_isType(l1, "ob.Relay", &ex));
  sidl_ClassInfo info = ob_L1_getClassInfo(l1, &ex);
  print("class", sidl_ClassInfo_getName(info, &ex), ex);
  drop(info);
  drop(bottom);
  drop(deep);
  drop(l1);
  drop(probe);
}

/* Data that the caller has, in an object of a class that is implemented in C. */
static void wraps_data(void) {
  sidl_BaseInterface ex = NULL;
  int64_t* data = malloc(sizeof *data); /* a struct ob_L5__data */
  *data = 50000;
  ob_L5 wrapped = ob_L5__wrapObj(data, &ex);
  must(ex);
  printf("sum: %ld\n", (long)ob_L5_sum(wrapped, 0, &ex));
  *data = 60000;
  printf("sum: %ld\n", (long)ob_L5_sum(wrapped, 0, &ex));
  printf("data: %d\n", wrapped->d_data == (void*)data);
  drop(wrapped);
}

/* ---- exceptions ------------------------------------------------------------------------------ */

static struct ob_Relay__array* path(const char* letters) {
  struct ob_Relay__array* relays = ob_Relay__array_create1d((int32_t)strlen(letters));
  for (int32_t i = 0; letters[i] != '\0'; ++i) {
    sidl_BaseClass object = made(letters[i] == 'c' ? "RelayC" : "RelayCxx");
    ob_Relay relay = cast_ob_Relay(object);
    ob_Relay__array_set1(relays, i, relay);
    drop(relay);
    drop(object);
  }
  return relays;
}

static void relay(const char* letters, const char* what) {
  sidl_BaseInterface ex = NULL;
  struct ob_Relay__array* relays = path(letters);
  ob_Relay first = ob_Relay__array_get1(relays, 0);
  ob_Relay_relay(first, relays, 1, what, &ex);
  if (ex == NULL) {
    printf("caught: nothing\n");
  } else {
    print_exception(ex);
  }
  drop(first);
  ob_Relay__array_deleteRef(relays);
}

static void rethrow(const char* letters, const char* what) {
  sidl_BaseInterface ex = NULL;
  struct ob_Relay__array* relays = path(letters);
  ob_Relay first = ob_Relay__array_get1(relays, 0);
  ob_Relay second = ob_Relay__array_get1(relays, 1);
  ob_Relay_rethrow(first, second, what, &ex);
  if (ex != NULL) print_exception(ex);
  drop(first);
  drop(second);
  ob_Relay__array_deleteRef(relays);
}

static void set_whole(struct ob_Whole__data* whole, const char* text, ob_Top object) {
  ob_Whole__init(whole);
  whole->text = sidl_String_strdup(text);
  whole->words = sidl_string__array_create1d(1);
  sidl_string__array_set1(whole->words, 0, text);
  whole->object = cast_ob_Top(object);
}

/* The word, the object's method, or "null"; free. */
static char* text_of(const char* text) {
  return sidl_String_strdup(text == NULL || *text == '\0' ? "null" : text);
}

static char* word_of(struct sidl_string__array* words) {
  return words == NULL ? text_of(NULL) : sidl_string__array_get1(words, 0);
}

static char* top_of(ob_Top object) {
  sidl_BaseInterface ex = NULL;
  char* top = object == NULL ? text_of(NULL) : ob_Top_top(object, &ex);
  must(ex);
  return top;
}

static char* tops_of(struct ob_Top__array* tops) {
  ob_Top object = tops == NULL ? NULL : ob_Top__array_get1(tops, 0);
  char* top = top_of(object);
  drop(object);
  return top;
}

static void print_texts(char* texts[], int count) {
  for (int i = 0; i < count; ++i) {
    printf(" %s", texts[i]);
    sidl_String_free(texts[i]);
  }
  printf("\n");
}

/* Prints a struct and frees what it owns. */
static void print_whole(const char* name, struct ob_Whole__data* whole) {
  char* texts[] = {word_of(whole->words), tops_of(whole->tops), top_of(whole->object)};
  printf("%s: %s %d %g", name, whole->text == NULL ? "null" : whole->text, (int)whole->color,
         whole->z.real);
  print_texts(texts, 3);
  sidl_struct_destroy(&ob_Whole__info, whole);
}

static ob_Top new_top(const char* name) {
  sidl_BaseClass object = made(name);
  ob_Top top = cast_ob_Top(object);
  drop(object);
  return top;
}

struct values {
  sidl_bool b;
  char c;
  int32_t i;
  double d;
  struct sidl_dcomplex z;
  enum ob_Color__enum e;
  char* s;
  struct sidl_string__array* words;
  struct ob_Top__array* tops;
  struct ob_Whole__data whole;
  ob_Top top;
};

static void print_outs(struct values* out) {
  char* texts[] = {text_of(out->s), word_of(out->words), tops_of(out->tops), top_of(out->top)};
  printf("outs: %d %d %d %g %g %d", out->b, out->c, (int)out->i, out->d, out->z.imaginary,
         (int)out->e);
  print_texts(texts, 4);
  sidl_String_free(out->s);
  if (out->words != NULL) sidl_string__array_deleteRef(out->words);
  if (out->tops != NULL) ob_Top__array_deleteRef(out->tops);
  drop(out->top);
}

static void print_inouts(struct values* io) {
  char* texts[] = {text_of(io->s), word_of(io->words), tops_of(io->tops), top_of(io->top)};
  printf("inouts: %d %d", (int)io->i, (int)io->e);
  print_texts(texts, 4);
  sidl_String_free(io->s);
  sidl_string__array_deleteRef(io->words);
  ob_Top__array_deleteRef(io->tops);
  drop(io->top);
}

static void fill(const char* letters, const char* what) {
  sidl_BaseInterface ex = NULL;
  struct ob_Relay__array* relays = path(letters);
  ob_Relay first = ob_Relay__array_get1(relays, 0);
  ob_Top object = new_top("L2");
  ob_Top other = new_top("L4");
  struct values out; /* whatever there is */
  struct values io = {.i = 9, .e = ob_Color_red, .s = sidl_String_strdup("before")};
  memset(&out, 0x55, sizeof out);
  io.words = sidl_string__array_create1d(1);
  sidl_string__array_set1(io.words, 0, "before");
  io.tops = ob_Top__array_create1d(1);
  ob_Top__array_set1(io.tops, 0, other);
  io.top = cast_ob_Top(other);
  set_whole(&io.whole, "before", other);
  struct ob_Whole__data result =
      ob_Relay_fill(first, what, object, &out.b, &out.c, &out.i, &out.d, &out.z, &out.e, &out.s,
                    &out.words, &out.tops, &out.whole, &out.top, &io.i, &io.e, &io.s, &io.words,
                    &io.tops, &io.whole, &io.top, &ex);
  if (ex != NULL) {
    char* name = class_of(ex);
    sidl_BaseInterface ignored = NULL;
    sidl_BaseException exception = sidl_BaseException__cast(ex, &ignored);
    print(name, sidl_BaseException_getNote(exception, &ignored), ignored);
    sidl_String_free(name);
    drop(exception);
    drop(ex);
  }
  print_outs(&out);
  print_inouts(&io);
  print_whole("out", &out.whole);
  print_whole("inout", &io.whole);
  print_whole("result", &result);
  drop(object);
  drop(other);
  drop(first);
  ob_Relay__array_deleteRef(relays);
}

static void through(const char* letters) {
  static const char* const names[] = {"L2", "L4", "L6"};
  sidl_BaseInterface ex = NULL;
  struct ob_Relay__array* relays = path(letters);
  ob_Relay first = ob_Relay__array_get1(relays, 0);
  for (int i = 0; i < 3; ++i) {
    sidl_BaseInterface object = (sidl_BaseInterface)made(names[i]);
    ob_Top o = NULL;
    ob_Top io = new_top("L5");
    sidl_BaseInterface back = ob_Relay_through(first, object, &o, &io, &ex);
    must(ex);
    const sidl_bool same = sidl_BaseInterface_isSame(back, object, &ex) &&
                           ob_Top_isSame(o, object, &ex) && ob_Top_isSame(io, object, &ex);
    must(ex);
    printf("%s: %s\n", names[i], same ? "same" : "another");
    ob_L2 l2 = cast_ob_L2(o);
    print(names[i], ob_L2_chain(l2, &ex), ex);
    drop(l2);
    drop(o);
    drop(io);
    drop(back);
    drop(object);
  }
  drop(first);
  ob_Relay__array_deleteRef(relays);
}

/* ---- libraries ------------------------------------------------------------------------------- */

static void print_L4(const char* name, ob_L4 l4) {
  sidl_BaseInterface ex = NULL;
  char* chain = ob_L4_chain(l4, &ex);
  must(ex);
  char* over = ob_L4_overInt(l4, 7, &ex);
  must(ex);
  printf("%s: %s %s\n", name, chain, over);
  sidl_String_free(chain);
  sidl_String_free(over);
}

/* A class that is known in the library of `uri`, beside what this program has of it. */
static void twice(const char* uri) {
  sidl_BaseInterface ex = NULL;
  sidl_DLL dll = sidl_Loader_loadLibrary(uri, FALSE, FALSE, &ex);
  must(ex);
  ob_L4 mine = ob_L4__create(&ex);
  must(ex);
  sidl_BaseClass made_there = sidl_DLL_createClass(dll, "ob.L4", &ex);
  must(ex);
  ob_L4 theirs = cast_ob_L4(made_there);
  print_L4("mine", mine);
  print_L4("theirs", theirs);
  struct ob_Relay__array* relays = path("x");
  ob_Relay first = ob_Relay__array_get1(relays, 0);
  ob_Top o = NULL;
  ob_Top io = cast_ob_Top(mine);
  sidl_BaseInterface back = ob_Relay_through(first, (sidl_BaseInterface)theirs, &o, &io, &ex);
  must(ex);
  printf("through: %s\n",
         o->d_object == (void*)theirs && io->d_object == (void*)theirs ? "same" : "another");
  sidl_BaseClass none = sidl_DLL_createClass(dll, "ob.L1", &ex);
  must(ex);
  printf("abstract: %s\n", none != NULL ? "made" : "null");
  none = sidl_DLL_createClass(dll, "ob.L9", &ex);
  must(ex);
  printf("unknown: %s\n", none != NULL ? "made" : "null");
  drop(back);
  drop(o);
  drop(io);
  drop(first);
  ob_Relay__array_deleteRef(relays);
  drop(theirs);
  drop(made_there);
  drop(mine);
  drop(dll);
}

static void old(void) {
  sidl_BaseInterface ex = NULL;
  drop(ob_Old__create(&ex));
  if (ex == NULL) return;
  sidl_BaseException exception = sidl_BaseException__cast(ex, &(sidl_BaseInterface){NULL});
  char* name = class_of(ex);
  print(name, sidl_BaseException_getNote(exception, &(sidl_BaseInterface){NULL}), NULL);
  sidl_String_free(name);
  drop(exception);
  drop(ex);
}

int main(int argc, char** argv) {
  const char* name = argc > 1 ? argv[1] : "";
  const char* one = argc > 2 ? argv[2] : "";
  const char* two = argc > 3 ? argv[3] : "";
  server = getenv("OB_SERVER");
  if (strcmp(name, "casts") == 0) casts(one);
  if (strcmp(name, "sideways") == 0) sideways();
  if (strcmp(name, "calls") == 0) calls(one);
  if (strcmp(name, "statics") == 0) statics();
  if (strcmp(name, "life") == 0) life(one);
  if (strcmp(name, "wraps") == 0) wraps();
  if (strcmp(name, "gone") == 0) gone();
  if (strcmp(name, "wraps_data") == 0) wraps_data();
  if (strcmp(name, "relay") == 0) relay(one, two);
  if (strcmp(name, "rethrow") == 0) rethrow(one, two);
  if (strcmp(name, "fill") == 0) fill(one, two);
  if (strcmp(name, "through") == 0) through(one);
  if (strcmp(name, "twice") == 0) twice(one);
  if (strcmp(name, "old") == 0) old();
  ob_Probe probe = new_probe();
  for (int i = 0; alive(probe) != 0 && i < 100000; ++i) {
  }
  printf("left over: %d\n", alive(probe));
  drop(probe);
  return 0;
}
