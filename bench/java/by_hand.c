/* by_hand.c: what a programmer would write with JNI, and loops in C over our own calls. */
#include <jni.h>
#include <stdlib.h>

#include "benchj_Target.h"
#include "benchx_Target.h"
#include "sidl_BaseInterface.h"

/* An object as a library in C has it: methods by pointers, and an error. */
struct target {
  void (*noop)(struct target* self, void** error);
  int (*add)(struct target* self, int a, int b, void** error);
};

static void do_nothing(struct target* self, void** error) {
  (void)self;
  *error = NULL;
}

static int do_add(struct target* self, int a, int b, void** error) {
  (void)self;
  *error = NULL;
  return a + b;
}

JNIEXPORT jlong JNICALL Java_ByHand_create(JNIEnv* env, jclass type) {
  (void)env;
  (void)type;
  struct target* const made = malloc(sizeof *made);
  *made = (struct target){do_nothing, do_add};
  return (jlong)(intptr_t)made;
}

static void throw_error(JNIEnv* env) {
  (*env)->ThrowNew(env, (*env)->FindClass(env, "java/lang/RuntimeException"), "it failed");
}

JNIEXPORT void JNICALL Java_ByHand_noop(JNIEnv* env, jclass type, jlong address) {
  (void)type;
  struct target* const it = (struct target*)(intptr_t)address;
  void* error;
  it->noop(it, &error);
  if (error != NULL) throw_error(env);
}

JNIEXPORT jint JNICALL Java_ByHand_add(JNIEnv* env, jclass type, jlong address, jint a, jint b) {
  (void)type;
  struct target* const it = (struct target*)(intptr_t)address;
  void* error;
  const int result = it->add(it, a, b, &error);
  if (error != NULL) throw_error(env);
  return result;
}

/* Calls of Java from C, which is not in Java otherwise: it asks for its JNIEnv each time. */
JNIEXPORT void JNICALL Java_ByHand_callNoop(JNIEnv* env, jclass type, jobject target, jint calls) {
  (void)type;
  JavaVM* vm;
  (*env)->GetJavaVM(env, &vm);
  const jmethodID method =
      (*env)->GetMethodID(env, (*env)->GetObjectClass(env, target), "noop", "()V");
  for (jint i = 0; i < calls; ++i) {
    JNIEnv* own;
    (*vm)->GetEnv(vm, (void**)&own, JNI_VERSION_10);
    (*own)->CallVoidMethod(own, target, method);
    if ((*own)->ExceptionCheck(own)) return;
  }
}

JNIEXPORT void JNICALL Java_ByHand_callAdd(JNIEnv* env, jclass type, jobject target, jint calls) {
  (void)type;
  JavaVM* vm;
  (*env)->GetJavaVM(env, &vm);
  const jmethodID method =
      (*env)->GetMethodID(env, (*env)->GetObjectClass(env, target), "add", "(II)I");
  jint sum = 0;
  for (jint i = 0; i < calls; ++i) {
    JNIEnv* own;
    (*vm)->GetEnv(vm, (void**)&own, JNI_VERSION_10);
    sum = (*own)->CallIntMethod(own, target, method, sum, 1);
    if ((*own)->ExceptionCheck(own)) return;
  }
}

/* ---- ours, from C
 * --------------------------------------------------------------------------------
 */

JNIEXPORT void JNICALL Java_ByHand_ourNoop(JNIEnv* env, jclass type, jint calls) {
  (void)env;
  (void)type;
  static benchj_Target target;
  sidl_BaseInterface ex = NULL;
  if (target == NULL) target = benchj_Target__create(&ex);
  for (jint i = 0; i < calls && ex == NULL; ++i) benchj_Target_noop(target, &ex);
  if (ex != NULL) throw_error(env);
}

JNIEXPORT void JNICALL Java_ByHand_ourAdd(JNIEnv* env, jclass type, jint calls) {
  (void)type;
  static benchj_Target target;
  sidl_BaseInterface ex = NULL;
  if (target == NULL) target = benchj_Target__create(&ex);
  int32_t sum = 0;
  for (jint i = 0; i < calls && ex == NULL; ++i) sum = benchj_Target_add(target, sum, 1, &ex);
  if (ex != NULL) throw_error(env);
}

JNIEXPORT void JNICALL Java_ByHand_remoteNoop(JNIEnv* env, jclass type, jstring url, jint calls) {
  (void)type;
  static benchx_Target target;
  sidl_BaseInterface ex = NULL;
  if (target == NULL) {
    const char* const text = (*env)->GetStringUTFChars(env, url, NULL);
    target = benchx_Target__createRemote(text, &ex);
    (*env)->ReleaseStringUTFChars(env, url, text);
  }
  for (jint i = 0; i < calls && ex == NULL; ++i) benchx_Target_noop(target, &ex);
  if (ex != NULL) throw_error(env);
}
