/* implementations.c: classes that are implemented in Java. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_rmi_ObjectDoesNotExistException_IOR.h"

/* The file of the library that the class's skeleton is in: its jar is beside it. */
static const char* file_of(const struct sidl_java_implementation* in) {
  Dl_info found;
  return dladdr(in, &found) != 0 && found.dli_fname != NULL ? found.dli_fname : "";
}

static jclass find_skeleton(JNIEnv* env, const struct sidl_java_implementation* in) {
  char name[1024];
  snprintf(name, sizeof name, "%s_Skel", in->path);
  const jstring path = (*env)->NewStringUTF(env, name);
  const jbyteArray file = bytes_of(env, file_of(in));
  jclass found = NULL;
  if (!(*env)->ExceptionCheck(env)) {
    found =
        (*env)->CallStaticObjectMethod(env, java.implementations, java.find_skeleton, path, file);
  }
  const sidl_bool has_failed = (*env)->ExceptionCheck(env);
  (*env)->DeleteLocalRef(env, path);
  (*env)->DeleteLocalRef(env, file);
  if (has_failed || found == NULL) return NULL;
  const jclass kept = (*env)->NewGlobalRef(env, found);
  (*env)->DeleteLocalRef(env, found);
  return kept;
}

/* The implementation's own methods, for calls without a frame. */
static void find_quick(JNIEnv* env, struct sidl_java_implementation* in) {
  for (struct sidl_java_method* each = in->methods; each->name != NULL; ++each) {
    if (each->quick == NULL || (*env)->ExceptionCheck(env)) continue;
    each->quick_id = (*env)->GetMethodID(env, in->skeleton, each->quick, each->signature);
  }
}

static void find_methods(JNIEnv* env, struct sidl_java_implementation* in) {
  char text[1024];
  snprintf(text, sizeof text, "(Lsidl/binding/Handle;)L%s_Skel;", in->path);
  in->construct = (*env)->GetStaticMethodID(env, in->skeleton, "_construct", text);
  if (in->construct == NULL) return;
  snprintf(text, sizeof text, "(L%s_Skel;)V", in->path);
  in->destruct = (*env)->GetStaticMethodID(env, in->skeleton, "_destruct", text);
  snprintf(text, sizeof text, "(L%s_Skel;Lsidl/binding/Frame;)V", in->path);
  for (struct sidl_java_method* each = in->methods; each->name != NULL; ++each) {
    if ((*env)->ExceptionCheck(env)) return;
    const struct sidl_method_info* const info = method_of(in->info, each->number);
    each->size = (int32_t)frame_size(info);
    each->has_layout = wants_layout(info);
    each->id = (*env)->GetStaticMethodID(env, in->skeleton, each->name,
                                         each->number < 0 ? "(Lsidl/binding/Frame;)V" : text);
  }
}

void sidl_java_load(struct sidl_java_implementation* in, struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  JNIEnv* const env = java_env(_ex);
  if (env == NULL || in->skeleton != NULL) return;
  in->skeleton = find_skeleton(env, in);
  if (in->skeleton != NULL) {
    int32_t count = 0;
    while (in->natives != NULL && in->natives[count].name != NULL) ++count;
    register_natives(env, in->skeleton, in->natives, count);
    if (!(*env)->ExceptionCheck(env)) find_methods(env, in);
    if (!(*env)->ExceptionCheck(env)) find_quick(env, in);
  }
  if (!(*env)->ExceptionCheck(env)) return;
  *_ex = take_exception(env, in->info->name);
  if (in->skeleton != NULL) (*env)->DeleteGlobalRef(env, in->skeleton);
  in->skeleton = NULL;
}

/* Where the object has the cell of its implementation; NULL: the implementation has ended. */
static struct cell** own_cell(const struct sidl_type_info* info, void* self) {
  return (struct cell**)(void*)((char*)self + info->data_offset);
}

static jobject implementation_of(const struct sidl_type_info* info, void* self) {
  const struct cell* const cell = *own_cell(info, self);
  return cell == NULL ? NULL : cell->implementation;
}

/*
 * Others may call an object that is being destroyed: those to whom its destructor has passed it.
 * The lock is for them and for who ends the implementation. Nobody calls any other object that
 * ends.
 */
static pthread_mutex_t ending = PTHREAD_MUTEX_INITIALIZER;

/* What Java has of the object is of no use any more; the cell goes with the implementation. */
static void end_implementation(struct cell** kept, struct cell* cell) {
  pthread_mutex_lock(&ending);
  *kept = NULL;
  pthread_mutex_unlock(&ending);
  end_own(cell);
  const jobject implementation = cell->implementation;
  cell->implementation = NULL;
  if (implementation != NULL) java_release(implementation);
}

/* A local reference to the implementation of an object that is being destroyed, or NULL. */
static jobject implementation_of_dying(JNIEnv* env, const struct sidl_type_info* info, void* self) {
  pthread_mutex_lock(&ending);
  struct cell* const cell = *own_cell(info, self);
  if (cell != NULL) note_dying(cell);
  const jobject found = cell == NULL ? NULL : (*env)->NewLocalRef(env, cell->implementation);
  pthread_mutex_unlock(&ending);
  return found;
}

void sidl_java_construct(struct sidl_java_implementation* in, void* self,
                         struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  JNIEnv* const env = java_env(_ex);
  if (env == NULL) return;
  const jobject handle =
      (*env)->CallStaticObjectMethod(env, java.handle, java.handle_of_implementation,
                                     sidl_java_address(self), sidl_java_address(in->info));
  struct cell* cell = NULL;
  if (!(*env)->ExceptionCheck(env) && handle != NULL) {
    cell = cell_of(env, handle);
    (*env)->DeleteLocalRef(
        env, (*env)->CallStaticObjectMethod(env, in->skeleton, in->construct, handle));
  }
  if ((*env)->ExceptionCheck(env)) {
    *_ex = take_exception(env, in->info->name);
    if (cell != NULL && has_one_reference(self)) {
      end_implementation(own_cell(in->info, self), cell);
    } else if (cell != NULL) {
      end_own(cell); /* whom the constructor has passed it to may be calling it: the rest stays */
    }
  }
  (*env)->DeleteLocalRef(env, handle);
}

/* For Java: from its constructor on calls of the object reach the implementation. */
static void JNICALL implement(JNIEnv* env, jclass type, jobject handle, jobject object) {
  (void)type;
  struct cell* const cell = cell_of(env, handle);
  if (cell->own == NULL) { /* a constructor that threw has handed it out */
    throw_closed(env, cell);
    return;
  }
  cell->implementation = (*env)->NewGlobalRef(env, object);
  if (cell->implementation != NULL) *own_cell(cell->info, cell->own) = cell;
}

void sidl_java_destruct(struct sidl_java_implementation* in, void* self,
                        struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  struct cell** const kept = own_cell(in->info, self);
  struct cell* const cell = *kept;
  JNIEnv* const env = java_env_if_running();
  if (cell == NULL) return;
  if (env == NULL) { /* Java has ended, and its memory is gone */
    end_implementation(kept, cell);
    return;
  }
  /* Whoever drops the last reference may have an exception to throw. */
  const jthrowable pending = (*env)->ExceptionOccurred(env);
  if (pending != NULL) (*env)->ExceptionClear(env);
  begin_destruction(cell);
  (*env)->CallStaticVoidMethod(env, in->skeleton, in->destruct, cell->implementation);
  if ((*env)->ExceptionCheck(env)) *_ex = take_exception(env, in->info->name);
  end_implementation(kept, cell);
  if (pending == NULL) return;
  (*env)->Throw(env, pending);
  (*env)->DeleteLocalRef(env, pending);
}

enum { most_quick = 16 }; /* arguments of a call without a frame */

/* A value as the JVM gets it; of the kinds that sidlc makes quick methods of. */
static jvalue to_jvalue(const struct sidl_type_ref* type, const void* value) {
  jvalue result = {.j = 0};
  switch (type->kind) {
    case sidl_kind_bool:
      result.z = *(const sidl_bool*)value != 0;
      break;
    case sidl_kind_int:
      result.i = *(const int32_t*)value;
      break;
    case sidl_kind_float:
      result.f = *(const float*)value;
      break;
    case sidl_kind_double:
      result.d = *(const double*)value;
      break;
    default: /* long, opaque */
      result.j = *(const int64_t*)value;
      break;
  }
  return result;
}

static void call_quick(JNIEnv* env, jobject target, jmethodID id,
                       const struct sidl_method_info* info, const jvalue* args, void* result) {
  switch (info->result.kind) {
    case sidl_kind_void:
      (*env)->CallVoidMethodA(env, target, id, args);
      break;
    case sidl_kind_bool:
      *(sidl_bool*)result = (*env)->CallBooleanMethodA(env, target, id, args);
      break;
    case sidl_kind_int:
      *(int32_t*)result = (*env)->CallIntMethodA(env, target, id, args);
      break;
    case sidl_kind_float:
      *(float*)result = (*env)->CallFloatMethodA(env, target, id, args);
      break;
    case sidl_kind_double:
      *(double*)result = (*env)->CallDoubleMethodA(env, target, id, args);
      break;
    default: /* long, opaque */
      *(int64_t*)result = (*env)->CallLongMethodA(env, target, id, args);
      break;
  }
}

/* TRUE if the method was called. */
static sidl_bool upcall_quick(JNIEnv* env, struct sidl_java_implementation* in,
                              const struct sidl_java_method* method, void* self, void* const* args,
                              void* result, struct sidl_BaseInterface__object** ex) {
  const struct sidl_method_info* const info = in->info->slots[method->number];
  const jobject target = implementation_of(in->info, self);
  if (info->arg_count > most_quick || target == NULL || sidl_has_hooks(self)) return FALSE;
  jvalue values[most_quick];
  for (int32_t i = 0; i < info->arg_count; ++i) {
    values[i] = to_jvalue(&info->args[i].type, args[i]);
  }
  call_quick(env, target, method->quick_id, info, values, result);
  if ((*env)->ExceptionCheck(env)) *ex = take_exception(env, in->info->name);
  return TRUE;
}

void sidl_java_upcall(struct sidl_java_implementation* in, const struct sidl_java_method* method,
                      void* self, void* const* args, void* result,
                      struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  JNIEnv* const env = java_env(_ex);
  if (env == NULL) return;
  const sidl_bool is_ending = self != NULL && is_dying(self);
  const sidl_bool may_be_quick = method->quick_id != NULL && self != NULL && !is_ending;
  if (may_be_quick && upcall_quick(env, in, method, self, args, result, _ex)) return;
  const jobject target = self == NULL ? NULL
                         : is_ending  ? implementation_of_dying(env, in->info, self)
                                      : implementation_of(in->info, self);
  if (self != NULL && target == NULL) {
    *_ex = make_exception(&sidl_rmi_ObjectDoesNotExistException__info,
                          "the object is being destroyed");
    return;
  }
  const struct upcall what = {
      .type = in->skeleton,
      .id = method->id,
      .target = target,
      .info = method_of(in->info, method->number),
      .name = in->info->name,
      .size = (size_t)method->size,
      .has_layout = method->has_layout,
      .has_hooks = (self == NULL ? sidl_has_static_hooks(in->info) : sidl_has_hooks(self)) != 0,
  };
  upcall(env, &what, args, result, _ex);
  if (is_ending) (*env)->DeleteLocalRef(env, target);
}

struct paths {
  char** all;
  size_t count;
};

/* No Java here: the dynamic loader is locked. */
static int add_path(struct dl_phdr_info* library, size_t size, void* data) {
  struct paths* const paths = data;
  (void)size;
  char** const all = realloc(paths->all, (paths->count + 1) * sizeof *all);
  if (all == NULL) return 1;
  paths->all = all;
  all[paths->count] = strdup(library->dlpi_name);
  if (all[paths->count] == NULL) return 1;
  ++paths->count;
  return 0;
}

static jobjectArray JNICALL libraries(JNIEnv* env, jclass type) {
  struct paths paths = {NULL, 0};
  (void)type;
  dl_iterate_phdr(add_path, &paths);
  const jclass bytes = (*env)->FindClass(env, "[B");
  const jobjectArray made =
      bytes == NULL ? NULL : (*env)->NewObjectArray(env, (jsize)paths.count, bytes, NULL);
  for (size_t i = 0; i < paths.count; ++i) {
    const jbyteArray path = made == NULL ? NULL : bytes_of(env, paths.all[i]);
    if (path != NULL) (*env)->SetObjectArrayElement(env, made, (jsize)i, path);
    (*env)->DeleteLocalRef(env, path);
    free(paths.all[i]);
  }
  free(paths.all);
  return made;
}

void register_implementations(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("libraries", "()[[B", libraries),
      SIDL_JAVA_NATIVE("implement", "(Lsidl/binding/Handle;Ljava/lang/Object;)V", implement),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
