/* exceptions.c: conversion between SIDL's and Java's exceptions; what is in Java: Exceptions.java.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_LangSpecificException_IOR.h"
#include "sidl_MemAllocException_IOR.h"
#include "sidl_NotImplementedException_IOR.h"
#include "sidl_String.h"

void throw_java(JNIEnv* env, const char* name, const char* text) {
  if ((*env)->ExceptionCheck(env)) return;
  const jclass type = (*env)->FindClass(env, name);
  if (type == NULL) return;
  (*env)->ThrowNew(env, type, text);
  (*env)->DeleteLocalRef(env, type);
}

void sidl_java_throw(JNIEnv* env, struct sidl_BaseInterface__object* ex) {
  const jthrowable thrown =
      (*env)->CallStaticObjectMethod(env, java.exceptions, java.to_java, sidl_java_address(ex));
  /* The conversion may have thrown something itself. */
  if (!(*env)->ExceptionCheck(env) && thrown != NULL) {
    (*env)->Throw(env, thrown);
    (*env)->DeleteLocalRef(env, thrown);
  }
  drop(ex);
}

struct sidl_BaseInterface__object* make_exception(const struct sidl_type_info* type,
                                                  const char* note) {
  struct sidl_BaseInterface__object* failure = NULL;
  void* const made = sidl_create(type, &failure);
  if (made == NULL) return failure;
  struct sidl_BaseException__object* const exception =
      sidl_cast_borrowed(made, &sidl_BaseException__info);
  exception->d_epv->f_setNote(exception->d_object, note, &failure);
  if (failure != NULL) drop(failure);
  return made;
}

struct sidl_BaseInterface__object* exception_of(const char* note) {
  return make_exception(&sidl_LangSpecificException__info, note);
}

struct sidl_BaseInterface__object* take_exception(JNIEnv* env, const char* method) {
  const jthrowable thrown = (*env)->ExceptionOccurred(env);
  (*env)->ExceptionClear(env);
  const jlong made = (*env)->CallStaticLongMethod(env, java.exceptions, java.to_sidl, thrown);
  struct sidl_BaseInterface__object* result = sidl_java_pointer(made);
  if (!(*env)->ExceptionCheck(env)) {
    const jbyteArray name = bytes_of(env, method);
    if (name != NULL) {
      (*env)->CallStaticVoidMethod(env, java.exceptions, java.describe, made, thrown, name);
    }
    (*env)->DeleteLocalRef(env, name);
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
  } else {
    char text[256];
    (*env)->ExceptionClear(env);
    snprintf(text, sizeof text,
             "%s has thrown an exception in Java, and describing it has failed as well "
             "(too deep a stack, or no memory)",
             method);
    result = exception_of(text);
  }
  (*env)->DeleteLocalRef(env, thrown);
  return result;
}

/* ---- origins: exceptions that SIDL exceptions were made from
 * -------------------------------------
 */

static void release_origin(void* origin) {
  java_release(origin);
}

static jlong JNICALL make(JNIEnv* env, jclass type, jint kind, jbyteArray bytes,
                          jthrowable origin) {
  (void)type;
  static const struct sidl_type_info* const kinds[] = {&sidl_LangSpecificException__info,
                                                       &sidl_MemAllocException__info,
                                                       &sidl_NotImplementedException__info};
  char* const text = text_of(env, bytes);
  if (text == NULL) return 0;
  struct sidl_BaseInterface__object* const made = make_exception(kinds[kind], text);
  free(text);
  const jobject kept = (*env)->NewGlobalRef(env, origin);
  if (kept != NULL && !sidl_exception_set_origin(made, kept, release_origin)) {
    (*env)->DeleteGlobalRef(env, kept);
  }
  return sidl_java_address(made);
}

static jobject JNICALL origin(JNIEnv* env, jclass type, jlong ior) {
  (void)type;
  void* const found = sidl_exception_origin(sidl_java_pointer(ior), release_origin);
  return found == NULL ? NULL : (*env)->NewLocalRef(env, found);
}

/* ---- notes and traces ---------------------------------------------------------------------------
 */

static struct sidl_BaseException__object* as_exception(void* ior) {
  return sidl_cast_borrowed(ior, &sidl_BaseException__info);
}

static jbyteArray JNICALL note(JNIEnv* env, jclass type, jobject handle) {
  (void)type;
  struct use use;
  if (!begin_use(env, handle, &use)) return NULL;
  struct sidl_BaseException__object* const exception = as_exception(use.object);
  struct sidl_BaseInterface__object* ex = NULL;
  char* const text =
      exception == NULL ? NULL : exception->d_epv->f_getNote(exception->d_object, &ex);
  finish_use(&use);
  if (ex != NULL) {
    sidl_java_throw(env, ex);
    return NULL;
  }
  const jbyteArray result = bytes_of(env, text);
  sidl_String_free(text);
  return result;
}

static void JNICALL set_note(JNIEnv* env, jclass type, jobject handle, jbyteArray bytes) {
  (void)type;
  struct use use;
  char* const text = text_of(env, bytes);
  if (text == NULL) return;
  if (begin_use(env, handle, &use)) {
    struct sidl_BaseException__object* const exception = as_exception(use.object);
    struct sidl_BaseInterface__object* ex = NULL;
    if (exception != NULL) exception->d_epv->f_setNote(exception->d_object, text, &ex);
    finish_use(&use);
    if (ex != NULL) sidl_java_throw(env, ex);
  }
  free(text);
}

static void JNICALL add_line(JNIEnv* env, jclass type, jlong ior, jbyteArray bytes) {
  (void)type;
  struct sidl_BaseException__object* const exception = as_exception(sidl_java_pointer(ior));
  char* const text = text_of(env, bytes);
  if (text == NULL) return;
  struct sidl_BaseInterface__object* ex = NULL;
  if (exception != NULL) exception->d_epv->f_addLine(exception->d_object, text, &ex);
  if (ex != NULL) drop(ex);
  free(text);
}

void register_exceptions(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("note", "(Lsidl/binding/Handle;)[B", note),
      SIDL_JAVA_NATIVE("setNote", "(Lsidl/binding/Handle;[B)V", set_note),
      SIDL_JAVA_NATIVE("addLine", "(J[B)V", add_line),
      SIDL_JAVA_NATIVE("makeException", "(I[BLjava/lang/Throwable;)J", make),
      SIDL_JAVA_NATIVE("origin", "(J)Ljava/lang/Throwable;", origin),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
