/* natives.c: what libsidl_java and package sidl.binding know of each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

struct java_classes java;

struct cell* cell_of(JNIEnv* env, jobject handle) {
  if (handle == NULL) return NULL;
  return sidl_java_pointer((*env)->GetLongField(env, handle, java.handle_cell));
}

/* An implementation's `this` reaches others as itself where all that is between them is Java. */
void describe_closed(const struct cell* cell, char* text, size_t size) {
  if (cell == NULL || !cell->is_own) {
    snprintf(text, size, "is closed, or it has been destroyed");
    return;
  }
  snprintf(text, size,
           "has been destroyed: it was kept as the 'this' of its implementation, which is no "
           "counted reference; keep %s.cast(...) of it instead",
           cell->info->name);
}

void throw_closed(JNIEnv* env, const struct cell* cell) {
  char what[400], text[512];
  describe_closed(cell, what, sizeof what);
  const char* const it =
      cell == NULL ? "object or array" : (cell->info != NULL ? "object" : "array");
  snprintf(text, sizeof text, "the %s %s", it, what);
  throw_java(env, "java/lang/IllegalStateException", text);
}

sidl_bool begin_use(JNIEnv* env, jobject handle, struct use* use) {
  struct cell* const cell = cell_of(env, handle);
  use->thread = this_thread();
  use->object = use->thread == NULL || cell == NULL ? NULL : use_cell(use->thread, cell);
  use->info = cell == NULL ? NULL : cell->info;
  if (use->object != NULL) return TRUE;
  throw_closed(env, cell);
  return FALSE;
}

void finish_use(struct use* use) {
  end_use(use->thread);
}

char* text_of(JNIEnv* env, jbyteArray bytes) {
  if (bytes == NULL) return NULL;
  const jsize length = (*env)->GetArrayLength(env, bytes);
  char* const text = malloc((size_t)length + 1);
  if (text == NULL) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a string");
    return NULL;
  }
  (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte*)text);
  text[length] = '\0';
  return text;
}

jbyteArray bytes_of(JNIEnv* env, const char* text) {
  if (text == NULL) return NULL;
  const jsize length = (jsize)strlen(text);
  const jbyteArray bytes = (*env)->NewByteArray(env, length);
  if (bytes != NULL) (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte*)text);
  return bytes;
}

void register_natives(JNIEnv* env, jclass type, const JNINativeMethod* natives, int32_t count) {
  if (count > 0) (*env)->RegisterNatives(env, type, natives, count);
}

static void JNICALL end(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  end_java();
}

static void JNICALL prepared(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  java_is_prepared();
}

static jboolean JNICALL has_released(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  return java_has_released() != FALSE;
}

static jclass kept_class(JNIEnv* env, const char* name) {
  const jclass found = (*env)->FindClass(env, name);
  if (found == NULL) return NULL;
  const jclass kept = (*env)->NewGlobalRef(env, found);
  (*env)->DeleteLocalRef(env, found);
  return kept;
}

#define STATIC(type, name, signature) (*env)->GetStaticMethodID(env, type, name, signature)

static sidl_bool find_classes(JNIEnv* env) {
  java.exceptions = kept_class(env, "sidl/binding/Exceptions");
  java.frame = kept_class(env, "sidl/binding/Frame");
  java.handle = kept_class(env, "sidl/binding/Handle");
  java.implementations = kept_class(env, "sidl/binding/Implementations");
  if ((*env)->ExceptionCheck(env)) return FALSE;
  java.to_java = STATIC(java.exceptions, "toJava", "(J)Ljava/lang/Throwable;");
  java.to_sidl = STATIC(java.exceptions, "toSidl", "(Ljava/lang/Throwable;)J");
  java.describe = STATIC(java.exceptions, "describe", "(JLjava/lang/Throwable;[B)V");
  java.make_frame = STATIC(java.frame, "make", "(I)Lsidl/binding/Frame;");
  java.end_loans = (*env)->GetMethodID(env, java.frame, "endLoans", "()V");
  java.frame_address = (*env)->GetMethodID(env, java.frame, "address", "()J");
  java.handle_cell = (*env)->GetFieldID(env, java.handle, "cell", "J");
  java.handle_of_implementation =
      STATIC(java.handle, "ofImplementation", "(JJ)Lsidl/binding/Handle;");
  java.find_skeleton =
      STATIC(java.implementations, "find", "(Ljava/lang/String;[B)Ljava/lang/Class;");
  java.find_call = STATIC(java.implementations, "findCall",
                          "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/String;)"
                          "Ljava/lang/reflect/Method;");
  if ((*env)->ExceptionCheck(env)) return FALSE;
  const jclass method = (*env)->FindClass(env, "java/lang/reflect/Method");
  if (method == NULL) return FALSE;
  java.declaring_class =
      (*env)->GetMethodID(env, method, "getDeclaringClass", "()Ljava/lang/Class;");
  return !(*env)->ExceptionCheck(env);
}

__attribute__((visibility("default"))) jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  JNIEnv* env = NULL;
  if ((*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  const jclass native = (*env)->FindClass(env, "sidl/binding/Native");
  if (native == NULL) return JNI_ERR;
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("prepared", "()V", prepared),
      SIDL_JAVA_NATIVE("end", "()V", end),
      SIDL_JAVA_NATIVE("hasReleased", "()Z", has_released),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
  register_cells(env, native);
  register_objects(env, native);
  register_exceptions(env, native);
  register_packages(env, native);
  register_implementations(env, native);
  register_plain(env, native);
  register_memory(env, native);
  register_arrays(env, native);
  register_halves(env, native);
  if ((*env)->ExceptionCheck(env) || !find_classes(env)) return JNI_ERR;
  adopt_machine(vm);
  return JNI_VERSION_10;
}
