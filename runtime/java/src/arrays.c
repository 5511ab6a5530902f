/* arrays.c: SIDL arrays in Java. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_String.h"
#include "sidl_interface_IOR.h"
#include "sidl_memory_space.h"
#include "sidl_string_IOR.h"
#include "sidl_struct_array.h"

enum { most = SIDL_MAX_ARRAY_DIMENSION };

/* The numbers of a Java array, of which there are as many as dimensions; NULL of null. */
static const int64_t* numbers(JNIEnv* env, jlongArray array, int64_t into[most]) {
  if (array == NULL) return NULL;
  const jsize length = (*env)->GetArrayLength(env, array);
  jlong given[most];
  (*env)->GetLongArrayRegion(env, array, 0, length < most ? length : most, given);
  for (jsize i = 0; i < length && i < most; ++i) into[i] = given[i];
  return into;
}

static jlong JNICALL create(JNIEnv* env, jclass type, jint kind, jlong info, jint order,
                            jlongArray lower, jlongArray upper) {
  (void)type;
  int64_t from[most], to[most];
  const jsize dimension = (*env)->GetArrayLength(env, lower);
  numbers(env, lower, from);
  numbers(env, upper, to);
  struct sidl__array* const made =
      kind == sidl_struct_array
          ? sidl_struct__array_create(sidl_java_pointer(info), order, dimension, from, to)
          : sidl__array_create(kind, order, dimension, from, to);
  /* Dense, and what is no number is null already. */
  if (made != NULL && kind != sidl_struct_array && kind != sidl_string_array &&
      kind != sidl_interface_array) {
    memset(sidl__array_first(made), 0,
           sidl__array_element_count(made) * sidl__array_element_bytes(made));
  }
  return sidl_java_address(made);
}

/* The buffer that an array shares. */
static void release_buffer(void* owner) {
  java_release(owner);
}

static jlong JNICALL borrow(JNIEnv* env, jclass type, jint kind, jobject memory, jlong offset,
                            jlongArray lower, jlongArray upper, jlongArray stride) {
  (void)type;
  int64_t from[most], to[most], steps[most];
  const jsize dimension = (*env)->GetArrayLength(env, lower);
  numbers(env, lower, from);
  numbers(env, upper, to);
  numbers(env, stride, steps);
  char* const first = (*env)->GetDirectBufferAddress(env, memory);
  const jobject owner = (*env)->NewGlobalRef(env, memory);
  if (owner == NULL) return 0;
  struct sidl__array* const made =
      sidl__array_borrow_owned(kind, first + (size_t)offset * sidl__array_element_size(kind),
                               dimension, from, to, steps, release_buffer, owner);
  if (made == NULL) (*env)->DeleteGlobalRef(env, owner);
  return sidl_java_address(made);
}

static void JNICALL describe(JNIEnv* env, jclass type, jlong ior, jlongArray result) {
  (void)type;
  const struct sidl__array* const array = sidl_java_pointer(ior);
  jlong all[32] = {0};
  all[0] = array->d_dimen;
  all[1] = sidl__array_type(array);
  all[2] = (jlong)sidl__array_element_bytes(array);
  all[3] = sidl_java_address(sidl__array_first(array));
  all[4] = sidl_java_address(sidl__array_struct(array));
  all[5] = sidl__array_isBorrowed(array);
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    all[8 + d] = array->d_lower[d];
    all[16 + d] = array->d_upper[d];
    all[24 + d] = array->d_stride[d];
  }
  (*env)->SetLongArrayRegion(env, result, 0, 32, all);
}

static jlong JNICALL share(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  sidl__array_addRef(use.object);
  finish_use(&use);
  return sidl_java_address(use.object);
}

static void JNICALL drop_array(JNIEnv* env, jclass type, jlong ior) {
  (void)env;
  (void)type;
  sidl__array_deleteRef(sidl_java_pointer(ior));
}

static void JNICALL add_ref_array(JNIEnv* env, jclass type, jlong ior) {
  (void)env;
  (void)type;
  sidl__array_addRef(sidl_java_pointer(ior));
}

static jlong JNICALL slice(JNIEnv* env, jclass type, jobject handle, jint dimension,
                           jlongArray lengths, jlongArray start, jlongArray stride,
                           jlongArray lower) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  int64_t counts[most], from[most], steps[most], bounds[most] = {0};
  numbers(env, lower, bounds);
  struct sidl__array* const made =
      sidl__array_slice(use.object, dimension, numbers(env, lengths, counts),
                        numbers(env, start, from), numbers(env, stride, steps), bounds);
  finish_use(&use);
  return sidl_java_address(made);
}

static jlong JNICALL ensure(JNIEnv* env, jclass type, jobject handle, jint dimension, jint order) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  struct sidl__array* const made = sidl__array_ensure(use.object, dimension, order);
  finish_use(&use);
  return sidl_java_address(made);
}

static void JNICALL copy(JNIEnv* env, jclass type, jobject from, jobject to) {
  (void)type;
  struct use source, target;
  if (!begin_use(env, from, &source)) return;
  if (begin_use(env, to, &target)) {
    sidl__array_copy(source.object, target.object);
    finish_use(&target);
  }
  finish_use(&source);
}

static jboolean JNICALL is_array_of(JNIEnv* env, jclass type, jobject handle, jlong info) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return JNI_FALSE;
  const sidl_bool is = sidl_struct__array_cast(sidl_java_pointer(info), use.object) != NULL;
  finish_use(&use);
  return is != 0;
}

static jlong JNICALL array_in(JNIEnv* env, jclass type, jobject handle, jint device, jint number) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  const struct sidl_memory_space* const space = sidl_memory_space_find(device, number);
  struct sidl__array* const made = sidl__array_in(space, use.object);
  finish_use(&use);
  return sidl_java_address(made);
}

static jlong JNICALL space_of(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  const struct sidl_memory_space* const space = sidl__array_space(use.object);
  finish_use(&use);
  return (jlong)sidl_memory_space_device_type(space) << 32 |
         (jlong)(uint32_t)sidl_memory_space_device_id(space);
}

/* ---- elements that are not numbers: the indices exist
 * --------------------------------------------
 */

static jbyteArray JNICALL get_text(JNIEnv* env, jclass type, jobject handle, jlongArray index) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return NULL;
  int64_t at[most];
  char* const text = sidl_string__array_get64(use.object, numbers(env, index, at));
  finish_use(&use);
  const jbyteArray result = bytes_of(env, text);
  sidl_String_free(text);
  return result;
}

static void JNICALL set_text(JNIEnv* env, jclass type, jobject handle, jlongArray index,
                             jbyteArray bytes) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return;
  int64_t at[most];
  char* const text = text_of(env, bytes);
  sidl_string__array_set64(use.object, numbers(env, index, at), text);
  free(text);
  finish_use(&use);
}

static jlong JNICALL get_object(JNIEnv* env, jclass type, jobject handle, jlongArray index) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return 0;
  int64_t at[most];
  void* const found = sidl_interface__array_get64(use.object, numbers(env, index, at));
  finish_use(&use);
  return sidl_java_address(found);
}

static void JNICALL set_object(JNIEnv* env, jclass type, jobject handle, jlongArray index,
                               jobject object) {
  (void)type;
  struct use use, element = {NULL, NULL, NULL};
  if (!begin_use(env, handle, &use)) return;
  if (object == NULL || begin_use(env, object, &element)) {
    int64_t at[most];
    sidl_interface__array_set64(use.object, numbers(env, index, at), element.object);
    if (object != NULL) finish_use(&element);
  }
  finish_use(&use);
}

static void JNICALL set_struct(JNIEnv* env, jclass type, jobject handle, jlongArray index,
                               jlong address) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return;
  int64_t at[most];
  sidl_struct__array_set(use.object, (*env)->GetArrayLength(env, index), numbers(env, index, at),
                         sidl_java_pointer(address));
  finish_use(&use);
}

#define HANDLE "Lsidl/binding/Handle;"

void register_arrays(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("createArray", "(IJI[J[J)J", create),
      SIDL_JAVA_NATIVE("borrowArray", "(ILjava/nio/Buffer;J[J[J[J)J", borrow),
      SIDL_JAVA_NATIVE("describeArray", "(J[J)V", describe),
      SIDL_JAVA_NATIVE("shareArray", "(" HANDLE ")J", share),
      SIDL_JAVA_NATIVE("dropArray", "(J)V", drop_array),
      SIDL_JAVA_NATIVE("addRefArray", "(J)V", add_ref_array),
      SIDL_JAVA_NATIVE("sliceArray", "(" HANDLE "I[J[J[J[J)J", slice),
      SIDL_JAVA_NATIVE("ensureArray", "(" HANDLE "II)J", ensure),
      SIDL_JAVA_NATIVE("copyArray", "(" HANDLE HANDLE ")V", copy),
      SIDL_JAVA_NATIVE("isArrayOf", "(" HANDLE "J)Z", is_array_of),
      SIDL_JAVA_NATIVE("arrayIn", "(" HANDLE "II)J", array_in),
      SIDL_JAVA_NATIVE("spaceOf", "(" HANDLE ")J", space_of),
      SIDL_JAVA_NATIVE("getText", "(" HANDLE "[J)[B", get_text),
      SIDL_JAVA_NATIVE("setText", "(" HANDLE "[J[B)V", set_text),
      SIDL_JAVA_NATIVE("getObject", "(" HANDLE "[J)J", get_object),
      SIDL_JAVA_NATIVE("setObject", "(" HANDLE "[J" HANDLE ")V", set_object),
      SIDL_JAVA_NATIVE("setStruct", "(" HANDLE "[JJ)V", set_struct),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
