/* memory.c: memory that Java reads and writes: frames, strings, structs. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_String.h"
#include "sidl_raw_array.h"
#include "sidl_struct_array.h"

const struct sidl_method_info* method_of(const struct sidl_type_info* info, int32_t number) {
  return number < 0 ? &info->statics[-1 - number] : info->slots[number];
}

static jlong JNICALL address_of(JNIEnv* env, jclass type, jobject memory) {
  (void)type;
  return sidl_java_address((*env)->GetDirectBufferAddress(env, memory));
}

static jobject JNICALL memory_at(JNIEnv* env, jclass type, jlong address, jlong bytes) {
  (void)type;
  return (*env)->NewDirectByteBuffer(env, sidl_java_pointer(address), bytes);
}

/* What is in it is Java's: slots of in arguments that the caller keeps are cells, or texts of the
 * frame. */
static void JNICALL release_frame(JNIEnv* env, jclass type, jlong info, jint number, jlong frame) {
  (void)env;
  (void)type;
  const struct sidl_method_info* const method = method_of(sidl_java_pointer(info), number);
  char* slot = sidl_java_pointer(frame);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const argument = &method->args[i];
    const sidl_bool is_raw = is_raw_array(&argument->type);
    const sidl_bool is_given = argument->mode != sidl_mode_in
                                   ? !is_raw || argument->mode == sidl_mode_out
                                   : argument->type.kind == sidl_kind_struct;
    if (is_given) destroy(&argument->type, slot);
    slot += slot_of(&argument->type);
  }
  destroy(&method->result, slot);
}

static jbyteArray JNICALL string(JNIEnv* env, jclass type, jlong address) {
  (void)type;
  return bytes_of(env, sidl_java_pointer(address));
}

static jlong JNICALL make_string(JNIEnv* env, jclass type, jbyteArray bytes) {
  (void)type;
  return sidl_java_address(text_of(env, bytes));
}

static void JNICALL free_string(JNIEnv* env, jclass type, jlong address) {
  (void)env;
  (void)type;
  sidl_String_free(sidl_java_pointer(address));
}

/* ---- structs ------------------------------------------------------------------------------------
 */

static jboolean JNICALL is_plain(JNIEnv* env, jclass type, jlong info) {
  (void)env;
  (void)type;
  return sidl_struct_is_plain(sidl_java_pointer(info)) != 0;
}

static jbyteArray JNICALL name_of_struct(JNIEnv* env, jclass type, jlong info) {
  (void)type;
  return bytes_of(env, ((const struct sidl_struct_info*)sidl_java_pointer(info))->name);
}

static void JNICALL destroy_struct(JNIEnv* env, jclass type, jlong info, jlong address) {
  (void)env;
  (void)type;
  sidl_struct_destroy(sidl_java_pointer(info), sidl_java_pointer(address));
}

/* A raw array in a struct: its memory, and the array that keeps it, or NULL. */
struct raw_member {
  void* first;
  struct sidl__array* keeper;
};

static struct raw_member* raw_member_of(const struct sidl_struct_info* info, jint member,
                                        void* data) {
  return (struct raw_member*)(void*)((char*)data + info->members[member].offset);
}

static void lengths_of_raw(const struct sidl_type_ref* type, const void* data, int64_t lengths[]) {
  if (type->kind == sidl_kind_inline) {
    memcpy(lengths, type->lengths, type->dimension * sizeof *lengths);
  } else {
    type->extents(data, lengths);
  }
}

static jlong JNICALL get_raw(JNIEnv* env, jclass type, jlong info, jint member, jlong address) {
  (void)type;
  const struct sidl_struct_info* const structure = sidl_java_pointer(info);
  const struct sidl_type_ref* const wanted = &structure->members[member].type;
  void* const data = sidl_java_pointer(address);
  const struct raw_member* const raw = raw_member_of(structure, member, data);
  void* const first = wanted->kind == sidl_kind_inline ? (void*)raw : raw->first;
  if (first == NULL) return 0;
  int64_t lengths[SIDL_MAX_ARRAY_DIMENSION];
  lengths_of_raw(wanted, data, lengths);
  struct sidl_raw_array lent;
  struct sidl_BaseInterface__object* ex = NULL;
  if (!sidl_raw_array_open(&lent, first, sidl_array_type_of(wanted->element), wanted->dimension,
                           lengths, structure->members[member].name, &ex)) {
    sidl_java_throw(env, ex);
    return 0;
  }
  return sidl_java_address(sidl__array_smartCopy(&lent.d_metadata));
}

static void JNICALL give_raw(JNIEnv* env, jclass type, jlong info, jint member, jlong address,
                             jobject array) {
  (void)type;
  const struct sidl_struct_info* const structure = sidl_java_pointer(info);
  const struct sidl_type_ref* const wanted = &structure->members[member].type;
  void* const data = sidl_java_pointer(address);
  struct raw_member* const raw = raw_member_of(structure, member, data);
  const sidl_bool is_inline = wanted->kind == sidl_kind_inline;
  if (is_inline && array == NULL) {
    memset(raw, 0, size_of(wanted));
    return;
  }
  struct use use = {NULL, NULL, NULL};
  if (array != NULL && !begin_use(env, array, &use)) return;
  int64_t lengths[SIDL_MAX_ARRAY_DIMENSION];
  lengths_of_raw(wanted, data, lengths);
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl__array* accepted = sidl_raw_array_accept(use.object, wanted->dimension, lengths,
                                                       structure->members[member].name, &ex);
  struct sidl__array* own = NULL;
  if (accepted != NULL && is_inline) {
    memcpy(raw, sidl__array_first(accepted), size_of(wanted));
    sidl__array_deleteRef(accepted);
  } else if (accepted != NULL && accepted == use.object) {
    /* The struct may be changed, and the array must not be. */
    own = sidl__array_create(sidl_array_type_of(wanted->element), sidl_column_major_order,
                             wanted->dimension, accepted->d_lower, accepted->d_upper);
    sidl__array_copy(accepted, own);
    sidl__array_deleteRef(accepted);
  } else {
    own = accepted;
  }
  if (array != NULL) finish_use(&use);
  if (ex != NULL) {
    sidl_java_throw(env, ex);
    return;
  }
  if (is_inline) return;
  sidl__array_deleteRef(raw->keeper);
  raw->first = sidl__array_first(own);
  raw->keeper = own;
}

void register_memory(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("addressOf", "(Ljava/nio/Buffer;)J", address_of),
      SIDL_JAVA_NATIVE("memoryAt", "(JJ)Ljava/nio/ByteBuffer;", memory_at),
      SIDL_JAVA_NATIVE("releaseFrame", "(JIJ)V", release_frame),
      SIDL_JAVA_NATIVE("string", "(J)[B", string),
      SIDL_JAVA_NATIVE("makeString", "([B)J", make_string),
      SIDL_JAVA_NATIVE("freeString", "(J)V", free_string),
      SIDL_JAVA_NATIVE("isPlain", "(J)Z", is_plain),
      SIDL_JAVA_NATIVE("nameOfStruct", "(J)[B", name_of_struct),
      SIDL_JAVA_NATIVE("destroyStruct", "(JJ)V", destroy_struct),
      SIDL_JAVA_NATIVE("getRaw", "(JIJ)J", get_raw),
      SIDL_JAVA_NATIVE("giveRaw", "(JIJLsidl/binding/Handle;)V", give_raw),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
