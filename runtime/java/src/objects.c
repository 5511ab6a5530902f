/* objects.c: what Java does with objects of any type. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_ClassInfo_IOR.h"
#include "sidl_String.h"

static void* identity(const void* ior) {
  return ((const struct sidl_facet_object*)ior)->d_object;
}

/* The result, or 0 with the exception in Java. */
static jlong answer(JNIEnv* env, void* result, struct sidl_BaseInterface__object* ex) {
  if (ex != NULL) {
    sidl_java_throw(env, ex);
    return 0;
  }
  return sidl_java_address(result);
}

static jlong JNICALL create(JNIEnv* env, jclass type, jlong info) {
  (void)type;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const made = sidl_create(sidl_java_pointer(info), &ex);
  return answer(env, made, ex);
}

typedef void* (*reach)(const struct sidl_type_info*, const char*,
                       struct sidl_BaseInterface__object**);

static jlong by_url(JNIEnv* env, jlong info, jbyteArray bytes, reach function) {
  char* const url = text_of(env, bytes);
  if (url == NULL) return 0;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const found = function(sidl_java_pointer(info), url, &ex);
  free(url);
  return answer(env, found, ex);
}

static jlong JNICALL create_remote(JNIEnv* env, jclass type, jlong info, jbyteArray url) {
  (void)type;
  return by_url(env, info, url, sidl_create_remote);
}

static jlong JNICALL connect_to(JNIEnv* env, jclass type, jlong info, jbyteArray url) {
  (void)type;
  return by_url(env, info, url, sidl_connect);
}

static jlong JNICALL cast(JNIEnv* env, jclass type, jobject handle, jlong info) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const result = sidl_cast(use.object, sidl_java_pointer(info), &ex);
  finish_use(&use);
  return answer(env, result, ex);
}

static jlong JNICALL cast_over(JNIEnv* env, jclass type, jlong ior, jlong info) {
  (void)env;
  (void)type;
  return sidl_java_address(sidl_cast_over(sidl_java_pointer(ior), sidl_java_pointer(info)));
}

static jlong JNICALL view_as(JNIEnv* env, jclass type, jlong ior, jlong info) {
  (void)env;
  (void)type;
  void* const object = sidl_java_pointer(ior);
  void* view = sidl_cast_borrowed(object, sidl_java_pointer(info));
  if (view != NULL || !sidl_is_remote(object)) return sidl_java_address(view);
  struct sidl_BaseInterface__object* ex = NULL;
  view = sidl_cast(object, sidl_java_pointer(info), &ex);
  if (ex != NULL) drop(ex);
  if (view != NULL) drop(object);
  return sidl_java_address(view);
}

static jboolean JNICALL is_of(JNIEnv* env, jclass type, jlong ior, jlong info) {
  (void)env;
  (void)type;
  return sidl_cast_borrowed(sidl_java_pointer(ior), sidl_java_pointer(info)) != NULL;
}

static jlong JNICALL type_of(JNIEnv* env, jclass type, jlong ior) {
  (void)env;
  (void)type;
  const struct sidl_object* const object = identity(sidl_java_pointer(ior));
  return sidl_java_address(object->d_class->info);
}

static jlong JNICALL parent_of(JNIEnv* env, jclass type, jlong info) {
  (void)env;
  (void)type;
  return sidl_java_address(((const struct sidl_type_info*)sidl_java_pointer(info))->parent);
}

static jbyteArray JNICALL name_of(JNIEnv* env, jclass type, jlong info) {
  (void)type;
  return bytes_of(env, ((const struct sidl_type_info*)sidl_java_pointer(info))->name);
}

static void JNICALL share(JNIEnv* env, jclass type, jlong ior) {
  (void)env;
  (void)type;
  add_ref(sidl_java_pointer(ior));
}

static void JNICALL drop_it(JNIEnv* env, jclass type, jlong ior) {
  (void)env;
  (void)type;
  drop(sidl_java_pointer(ior));
}

static jlong JNICALL share_as(JNIEnv* env, jclass type, jobject handle, jlong info) {
  const jlong result = cast(env, type, handle, info);
  if (result == 0) {
    throw_java(env, "java/lang/ClassCastException",
               ((const struct sidl_type_info*)sidl_java_pointer(info))->name);
  }
  return result;
}

static jboolean JNICALL is_this(JNIEnv* env, jclass type, jobject handle, jlong ior) {
  (void)type;
  struct thread* const thread = this_thread();
  struct cell* const cell = cell_of(env, handle);
  const void* const object = thread == NULL || cell == NULL ? NULL : use_cell(thread, cell);
  if (object == NULL) return JNI_FALSE;
  const sidl_bool result = identity(object) == identity(sidl_java_pointer(ior));
  end_use(thread);
  return result != 0;
}

/* The URL of a remote object, which identifies it; to be freed. */
static char* url_of(void* ior) {
  struct sidl_BaseInterface__object* ex = NULL;
  char* const result = sidl_get_url(ior, &ex);
  if (ex != NULL) drop(ex);
  return result;
}

static sidl_bool is_equal_to(void* a, void* b) {
  if (identity(a) == identity(b)) return TRUE;
  if (!sidl_is_remote(a) || !sidl_is_remote(b)) return FALSE;
  char* const first = url_of(a);
  char* const second = url_of(b);
  sidl_bool same = first != NULL && second != NULL && strcmp(first, second) == 0;
  if (same && *first == '\0') { /* of clients, which have none; nobody is asked */
    struct sidl_BaseInterface__object* ex = NULL;
    same = sidl_proxy_isSame(a, b, &ex) && ex == NULL;
    if (ex != NULL) drop(ex);
  }
  sidl_String_free(first);
  sidl_String_free(second);
  return same;
}

/* An implementation's `this` is known by its address, also to who may not use it. */
static sidl_bool is_equal_to_own(struct thread* thread, const struct cell* own,
                                 struct cell* other) {
  const void* const self = object_in_cell(own);
  if (self == NULL || other->is_own) return self != NULL && self == object_in_cell(other);
  const void* const object = use_cell(thread, other);
  if (object == NULL) return FALSE;
  const sidl_bool result = identity(object) == self;
  end_use(thread);
  return result;
}

/* Closed ones are equal to nothing. */
static jboolean JNICALL is_equal(JNIEnv* env, jclass type, jobject a, jobject b) {
  (void)type;
  struct thread* const thread = this_thread();
  struct cell* const first = cell_of(env, a);
  struct cell* const second = cell_of(env, b);
  if (thread == NULL || first == NULL || second == NULL) return JNI_FALSE;
  if (first->is_own) return is_equal_to_own(thread, first, second) != 0;
  if (second->is_own) return is_equal_to_own(thread, second, first) != 0;
  void* const one = use_cell(thread, first);
  if (one == NULL) return JNI_FALSE;
  void* const other = use_cell(thread, second);
  const sidl_bool result = other != NULL && is_equal_to(one, other);
  if (other != NULL) end_use(thread);
  end_use(thread);
  return result != 0;
}

static jint folded(uint64_t hash) {
  return (jint)(hash ^ hash >> 32);
}

static jint hash_of_address(const void* object) {
  return folded((uint64_t)(uintptr_t)object >> 4);
}

/* Of a remote one. */
static jint hash_of_url(void* object) {
  uint64_t result = UINT64_C(14695981039346656037);
  char* const url = url_of(object);
  for (const char* c = url; c != NULL && *c != '\0'; ++c) {
    result = (result ^ (unsigned char)*c) * UINT64_C(1099511628211);
  }
  sidl_String_free(url);
  return folded(result);
}

static jint JNICALL hash(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct thread* const thread = this_thread();
  struct cell* const cell = cell_of(env, handle);
  if (cell != NULL && cell->is_own) return hash_of_address(cell->it.leaving);
  void* const object = thread == NULL || cell == NULL ? NULL : use_cell(thread, cell);
  if (object == NULL) return 1;
  const jint result =
      sidl_is_remote(object) ? hash_of_url(object) : hash_of_address(identity(object));
  end_use(thread);
  return result;
}

static jboolean JNICALL is_same(JNIEnv* env, jclass type, jobject handle, jobject other) {
  (void)type;
  struct use use, others;
  if (!begin_use(env, handle, &use)) return JNI_FALSE;
  sidl_bool result = FALSE;
  struct sidl_BaseInterface__object* ex = NULL;
  if (other != NULL && begin_use(env, other, &others)) {
    struct sidl_BaseInterface__object* const object = use.object;
    result = object->d_epv->f_isSame(object->d_object, others.object, &ex);
    finish_use(&others);
  }
  finish_use(&use);
  if (ex != NULL) sidl_java_throw(env, ex);
  return ex == NULL && result != 0;
}

static jboolean JNICALL is_type(JNIEnv* env, jclass type, jobject handle, jbyteArray bytes) {
  (void)type;
  struct use use;
  char* const name = text_of(env, bytes);
  if (name == NULL) return JNI_FALSE;
  sidl_bool result = FALSE;
  if (begin_use(env, handle, &use)) {
    struct sidl_BaseInterface__object* const object = use.object;
    struct sidl_BaseInterface__object* ex = NULL;
    result = object->d_epv->f_isType(object->d_object, name, &ex);
    finish_use(&use);
    if (ex != NULL) sidl_java_throw(env, ex);
  }
  free(name);
  return result != 0;
}

static jlong JNICALL class_info(JNIEnv* env, jclass type, jobject handle, jlong info) {
  (void)type;
  (void)info;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  struct sidl_BaseInterface__object* const object = use.object;
  struct sidl_BaseInterface__object* ex = NULL;
  void* const result = object->d_epv->f_getClassInfo(object->d_object, &ex);
  finish_use(&use);
  return answer(env, result, ex);
}

static jbyteArray JNICALL url(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return NULL;
  struct sidl_BaseInterface__object* ex = NULL;
  char* const text = sidl_get_url(use.object, &ex);
  finish_use(&use);
  if (ex != NULL) {
    sidl_java_throw(env, ex);
    return NULL;
  }
  const jbyteArray result = bytes_of(env, text);
  sidl_String_free(text);
  return result;
}

static jboolean JNICALL is_remote(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return JNI_FALSE;
  const sidl_bool result = sidl_is_remote(use.object);
  finish_use(&use);
  return result != 0;
}

static void JNICALL set_hooks(JNIEnv* env, jclass type, jobject handle, jboolean enable) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return;
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_set_hooks(use.object, enable, &ex);
  finish_use(&use);
  if (ex != NULL) sidl_java_throw(env, ex);
}

static void JNICALL set_contracts(JNIEnv* env, jclass type, jobject handle, jboolean enable,
                                  jbyteArray file, jboolean reset) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return;
  char* const name = text_of(env, file);
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_set_contracts(use.object, enable, name, reset, &ex);
  free(name);
  finish_use(&use);
  if (ex != NULL) sidl_java_throw(env, ex);
}

static void JNICALL dump_stats(JNIEnv* env, jclass type, jobject handle, jbyteArray file,
                               jbyteArray prefix) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return;
  char* const name = text_of(env, file);
  char* const head = text_of(env, prefix);
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_dump_stats(use.object, name, head, &ex);
  free(name);
  free(head);
  finish_use(&use);
  if (ex != NULL) sidl_java_throw(env, ex);
}

static void JNICALL set_static_hooks(JNIEnv* env, jclass type, jlong info, jboolean enable) {
  (void)type;
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_set_hooks_static(sidl_java_pointer(info), enable, &ex);
  if (ex != NULL) sidl_java_throw(env, ex);
}

static void JNICALL set_static_contracts(JNIEnv* env, jclass type, jlong info, jboolean enable,
                                         jbyteArray file, jboolean reset) {
  (void)type;
  char* const name = text_of(env, file);
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_set_contracts_static(sidl_java_pointer(info), enable, name, reset, &ex);
  free(name);
  if (ex != NULL) sidl_java_throw(env, ex);
}

static void JNICALL dump_static_stats(JNIEnv* env, jclass type, jlong info, jbyteArray file,
                                      jbyteArray prefix) {
  (void)type;
  char* const name = text_of(env, file);
  char* const head = text_of(env, prefix);
  struct sidl_BaseInterface__object* ex = NULL;
  sidl_dump_stats_static(sidl_java_pointer(info), name, head, &ex);
  free(name);
  free(head);
  if (ex != NULL) sidl_java_throw(env, ex);
}

#define HANDLE "Lsidl/binding/Handle;"

void register_objects(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("create", "(J)J", create),
      SIDL_JAVA_NATIVE("createRemote", "(J[B)J", create_remote),
      SIDL_JAVA_NATIVE("connect", "(J[B)J", connect_to),
      SIDL_JAVA_NATIVE("cast", "(" HANDLE "J)J", cast),
      SIDL_JAVA_NATIVE("castOver", "(JJ)J", cast_over),
      SIDL_JAVA_NATIVE("viewAs", "(JJ)J", view_as),
      SIDL_JAVA_NATIVE("isOf", "(JJ)Z", is_of),
      SIDL_JAVA_NATIVE("typeOf", "(J)J", type_of),
      SIDL_JAVA_NATIVE("parentOf", "(J)J", parent_of),
      SIDL_JAVA_NATIVE("nameOf", "(J)[B", name_of),
      SIDL_JAVA_NATIVE("share", "(J)V", share),
      SIDL_JAVA_NATIVE("drop", "(J)V", drop_it),
      SIDL_JAVA_NATIVE("shareAs", "(" HANDLE "J)J", share_as),
      SIDL_JAVA_NATIVE("isThis", "(" HANDLE "J)Z", is_this),
      SIDL_JAVA_NATIVE("isEqual", "(" HANDLE HANDLE ")Z", is_equal),
      SIDL_JAVA_NATIVE("hash", "(" HANDLE ")I", hash),
      SIDL_JAVA_NATIVE("isSame", "(" HANDLE HANDLE ")Z", is_same),
      SIDL_JAVA_NATIVE("isType", "(" HANDLE "[B)Z", is_type),
      SIDL_JAVA_NATIVE("classInfo", "(" HANDLE "J)J", class_info),
      SIDL_JAVA_NATIVE("url", "(" HANDLE ")[B", url),
      SIDL_JAVA_NATIVE("isRemote", "(" HANDLE ")Z", is_remote),
      SIDL_JAVA_NATIVE("setHooks", "(" HANDLE "Z)V", set_hooks),
      SIDL_JAVA_NATIVE("setContracts", "(" HANDLE "Z[BZ)V", set_contracts),
      SIDL_JAVA_NATIVE("dumpStats", "(" HANDLE "[B[B)V", dump_stats),
      SIDL_JAVA_NATIVE("setStaticHooks", "(JZ)V", set_static_hooks),
      SIDL_JAVA_NATIVE("setStaticContracts", "(JZ[BZ)V", set_static_contracts),
      SIDL_JAVA_NATIVE("dumpStaticStats", "(J[B[B)V", dump_static_stats),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
