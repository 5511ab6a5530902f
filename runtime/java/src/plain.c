/* plain.c: SIDL objects that stand for objects of users' Java classes (Plain.java). */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_dynamic.h"

/* The Java method for a slot of an interface; found once. */
struct call {
  const struct sidl_method_info* info;
  jclass type; /* "pkg/Interface$Calls", kept */
  jmethodID id;
  size_t size;
  sidl_bool has_layout;
  struct call* next;
};

static struct call* calls; /* accessed atomically: others are put before it; never freed */

static const struct call* known_call(const struct sidl_method_info* info) {
  const struct call* found = __atomic_load_n(&calls, __ATOMIC_ACQUIRE);
  while (found != NULL && found->info != info) found = found->next;
  return found;
}

static const char* name_of(const struct sidl_java_type* type,
                           const struct sidl_method_info* method) {
  for (const struct sidl_java_slot* each = type->calls; each != NULL && each->name != NULL;
       ++each) {
    const struct sidl_method_info* const slot = type->info->slots[each->position];
    if (slot == method ||
        (slot->digest == method->digest && strcmp(slot->name, method->name) == 0)) {
      return each->name;
    }
  }
  return NULL;
}

/* Makes a note of a method: for all objects, as its class is the interface's. */
static const struct call* remember(JNIEnv* env, const struct sidl_method_info* method,
                                   jobject reflected) {
  const jobject type = (*env)->CallObjectMethod(env, reflected, java.declaring_class);
  struct call* const made = (*env)->ExceptionCheck(env) ? NULL : calloc(1, sizeof *made);
  if (made != NULL) {
    made->info = method;
    made->type = (*env)->NewGlobalRef(env, type);
    made->id = (*env)->FromReflectedMethod(env, reflected);
    made->size = frame_size(method);
    made->has_layout = wants_layout(method);
    made->next = __atomic_load_n(&calls, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&calls, &made->next, made, TRUE, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED)) {
    }
  }
  (*env)->DeleteLocalRef(env, type);
  return made;
}

/* NULL, perhaps with a Java exception, if Java has no class for the interface. */
static const struct call* find_call(JNIEnv* env, jobject target,
                                    const struct sidl_method_info* method) {
  const struct sidl_java_type* const type = find_java_type(method->type->name);
  const char* const name = type == NULL ? NULL : name_of(type, method);
  if (name == NULL) return NULL;
  const jstring type_name = (*env)->NewStringUTF(env, type->name);
  const jstring method_name = type_name == NULL ? NULL : (*env)->NewStringUTF(env, name);
  const struct call* result = NULL;
  if (method_name != NULL) {
    const jobject found = (*env)->CallStaticObjectMethod(env, java.implementations, java.find_call,
                                                         target, type_name, method_name);
    if (!(*env)->ExceptionCheck(env) && found != NULL) {
      result = remember(env, method, found);
      (*env)->DeleteLocalRef(env, found);
    }
  }
  (*env)->DeleteLocalRef(env, method_name);
  (*env)->DeleteLocalRef(env, type_name);
  return result;
}

static void call_plain(void* data, void* self, const struct sidl_method_info* method,
                       void* const* args, void* result, struct sidl_BaseInterface__object** ex) {
  (void)self;
  *ex = NULL;
  const struct plain* const own = data;
  JNIEnv* const env = java_env(ex);
  if (env == NULL) return;
  const struct call* call = known_call(method);
  if (call == NULL) call = find_call(env, own->java, method);
  if (call == NULL) {
    *ex = (*env)->ExceptionCheck(env) ? take_exception(env, method->name)
                                      : exception_of("Java has no class for the interface");
    return;
  }
  const struct upcall what = {
      .type = call->type,
      .id = call->id,
      .target = own->java,
      .info = method,
      .name = method->type->name,
      .size = call->size,
      .has_layout = call->has_layout,
  };
  upcall(env, &what, args, result, ex);
}

static void destroy_plain(void* data) {
  struct plain* const own = data;
  if (own == NULL) return; /* it could not be made */
  forget_stand_in(own);
  java_release(own->java);
  free(own);
}

static const struct sidl_dynamic_functions functions = {call_plain, destroy_plain};

static jlong JNICALL plain_class(JNIEnv* env, jclass type, jbyteArray bytes, jlongArray infos) {
  (void)type;
  char* const name = text_of(env, bytes);
  if (name == NULL) return 0;
  const jsize count = (*env)->GetArrayLength(env, infos);
  const struct sidl_type_info** const interfaces = calloc((size_t)count + 1, sizeof *interfaces);
  jlong* const addresses = (*env)->GetLongArrayElements(env, infos, NULL);
  const struct sidl_class* made = NULL;
  struct sidl_BaseInterface__object* ex = NULL;
  if (interfaces != NULL && addresses != NULL) {
    for (jsize i = 0; i < count; ++i) interfaces[i] = sidl_java_pointer(addresses[i]);
    made = sidl_dynamic_class(name, interfaces, (size_t)count, &functions, &ex);
  }
  if (addresses != NULL) (*env)->ReleaseLongArrayElements(env, infos, addresses, JNI_ABORT);
  free(interfaces);
  free(name);
  if (ex != NULL) sidl_java_throw(env, ex);
  return sidl_java_address(made);
}

/* With a reference; NULL, with a Java exception, if there is no memory. */
static struct plain* make(JNIEnv* env, jobject java, const struct sidl_class* class) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct plain* const own = calloc(1, sizeof *own);
  if (own != NULL) own->java = (*env)->NewGlobalRef(env, java);
  if (own != NULL && own->java != NULL) own->ior = sidl_dynamic_create(class, own, &ex);
  if (own != NULL && own->ior != NULL) return own;
  if (ex != NULL) {
    sidl_java_throw(env, ex);
  } else {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a SIDL object");
  }
  if (own != NULL && own->java != NULL) (*env)->DeleteGlobalRef(env, own->java);
  free(own);
  return NULL;
}

static jlong JNICALL stand_in(JNIEnv* env, jclass type, jobject object, jint hash,
                              jlong plain_class) {
  (void)type;
  void* const found = stand_in_for(env, object, hash, &make, sidl_java_pointer(plain_class));
  if (found == NULL && !(*env)->ExceptionCheck(env)) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a SIDL object");
  }
  return sidl_java_address(found);
}

static jobject JNICALL plain_behind(JNIEnv* env, jclass type, jlong ior) {
  (void)type;
  const struct plain* const own = sidl_dynamic_data(sidl_java_pointer(ior), &functions);
  return own == NULL ? NULL : (*env)->NewLocalRef(env, own->java);
}

void register_plain(JNIEnv* env, jclass native) {
  static const JNINativeMethod natives[] = {
      SIDL_JAVA_NATIVE("plainClass", "([B[J)J", plain_class),
      SIDL_JAVA_NATIVE("standIn", "(Ljava/lang/Object;IJ)J", stand_in),
      SIDL_JAVA_NATIVE("plainBehind", "(J)Ljava/lang/Object;", plain_behind),
  };
  register_natives(env, native, natives, sizeof natives / sizeof *natives);
}
