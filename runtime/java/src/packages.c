/* packages.c: the native libraries of SIDL packages, and the types in them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_SIDLException_IOR.h"
#include "sidl_process.h"

/* Packages that Java has opened: for objects that are written in Java. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const struct sidl_java_package** packages; /* guarded by lock */
static size_t package_count;

static void remember(const struct sidl_java_package* package) {
  pthread_mutex_lock(&lock);
  const struct sidl_java_package** const more =
      realloc(packages, (package_count + 1) * sizeof *packages);
  if (more != NULL) {
    packages = more;
    packages[package_count++] = package;
  }
  pthread_mutex_unlock(&lock);
}

static const struct sidl_java_type* type_in(const struct sidl_java_package* package,
                                            const char* name) {
  for (const struct sidl_java_type* each = package->types; each->name != NULL; ++each) {
    if (strcmp(each->name, name) == 0) return each;
  }
  return NULL;
}

const struct sidl_java_type* find_java_type(const char* name) {
  const struct sidl_java_type* found = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < package_count && found == NULL; ++i) found = type_in(packages[i], name);
  pthread_mutex_unlock(&lock);
  return found;
}

/* In the program and what it is linked with. */
static jlong JNICALL find_symbol(JNIEnv* env, jclass type, jbyteArray bytes) {
  (void)type;
  char* const name = text_of(env, bytes);
  if (name == NULL) return 0;
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL && strcmp(name, "sidl__java") == 0) {
    extern const struct sidl_java_package sidl__java; /* in this library */
    found = (void*)&sidl__java;
  }
  free(name);
  if (found != NULL) remember(found);
  return sidl_java_address(found);
}

static void throw_unlinked(JNIEnv* env, const char* path, const char* reason) {
  char text[1024];
  char* const explained = sidl_explain_unloadable(reason);
  snprintf(text, sizeof text, "%s: %s", path, explained == NULL ? reason : explained);
  free(explained);
  throw_java(env, "java/lang/UnsatisfiedLinkError", text);
}

static jlong JNICALL open_package(JNIEnv* env, jclass type, jbyteArray path_bytes,
                                  jbyteArray name_bytes) {
  (void)type;
  char* const path = text_of(env, path_bytes);
  char* const name = path == NULL ? NULL : text_of(env, name_bytes);
  void* found = NULL;
  if (name != NULL) {
    sidl_begin_loading();
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char* const reason = library == NULL ? dlerror() : NULL;
    if (library != NULL) found = dlsym(library, name);
    if (library == NULL) {
      throw_unlinked(env, path, reason);
    } else if (found == NULL) {
      char text[256];
      snprintf(text, sizeof text,
               "it is no library that sidl_add_library made for Java, as it lacks %s", name);
      throw_unlinked(env, path, text);
    }
    sidl_end_loading();
  }
  free(path);
  free(name);
  if (found != NULL) remember(found);
  return sidl_java_address(found);
}

static void throw_missing(JNIEnv* env, const char* name) {
  char text[256];
  snprintf(text, sizeof text,
           "the native library of Java's package has no %s: it was made from another version of "
           "the .sidl file",
           name);
  throw_java(env, "java/lang/UnsatisfiedLinkError", text);
}

static jlong JNICALL bind_type(JNIEnv* env, jclass type, jlong tables, jstring java_name,
                               jclass stub) {
  (void)type;
  const char* const name = (*env)->GetStringUTFChars(env, java_name, NULL);
  if (name == NULL) return 0;
  const struct sidl_java_type* const found = type_in(sidl_java_pointer(tables), name);
  if (found == NULL) throw_missing(env, name);
  (*env)->ReleaseStringUTFChars(env, java_name, name);
  if (found == NULL) return 0;
  register_natives(env, stub, found->natives, found->native_count);
  return sidl_java_address(found->info);
}

static jlong JNICALL struct_info(JNIEnv* env, jclass type, jlong tables, jstring java_name,
                                 jint size) {
  (void)type;
  const char* const name = (*env)->GetStringUTFChars(env, java_name, NULL);
  if (name == NULL) return 0;
  const struct sidl_java_package* const package = sidl_java_pointer(tables);
  const struct sidl_struct_info* found = NULL;
  for (const struct sidl_java_struct* each = package->structs; each->name != NULL; ++each) {
    if (strcmp(each->name, name) == 0) found = each->info;
  }
  if (found == NULL || found->size != (size_t)size) {
    found = NULL;
    throw_missing(env, name);
  }
  (*env)->ReleaseStringUTFChars(env, java_name, name);
  return sidl_java_address(found);
}

static sidl_bool is_exception(const struct sidl_type_info* info) {
  while (info != NULL && info != &sidl_SIDLException__info) info = info->parent;
  return info != NULL;
}

/* The names of a package's exceptions. */
static jobjectArray JNICALL exceptions_in(JNIEnv* env, jclass type, jlong tables) {
  (void)type;
  const struct sidl_java_type* const types =
      ((const struct sidl_java_package*)sidl_java_pointer(tables))->types;
  jsize count = 0;
  for (const struct sidl_java_type* each = types; each->name != NULL; ++each) {
    count += is_exception(each->info) != FALSE;
  }
  const jclass bytes = (*env)->FindClass(env, "[B");
  const jobjectArray made = bytes == NULL ? NULL : (*env)->NewObjectArray(env, count, bytes, NULL);
  jsize at = 0;
  for (const struct sidl_java_type* each = types; made != NULL && each->name != NULL; ++each) {
    if (!is_exception(each->info)) continue;
    const jbyteArray name = bytes_of(env, each->name);
    if (name == NULL) return NULL;
    (*env)->SetObjectArrayElement(env, made, at++, name);
    (*env)->DeleteLocalRef(env, name);
  }
  return made;
}

void register_packages(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("findSymbol", "([B)J", find_symbol),
      SIDL_JAVA_NATIVE("openPackage", "([B[B)J", open_package),
      SIDL_JAVA_NATIVE("exceptionsIn", "(J)[[B", exceptions_in),
      SIDL_JAVA_NATIVE("bind", "(JLjava/lang/String;Ljava/lang/Class;)J", bind_type),
      SIDL_JAVA_NATIVE("structInfo", "(JLjava/lang/String;I)J", struct_info),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
