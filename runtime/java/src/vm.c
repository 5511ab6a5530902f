/* vm.c: the Java of this process: that which is there, or one that is started when it is needed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"
#include "sidl_misc.h"
#include "sidl_process.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static JavaVM* machine;        /* accessed atomically */
static sidl_bool has_ended;    /* accessed atomically */
static sidl_bool has_released; /* accessed atomically */
static uint32_t generation;    /* of forks, in which it was found; guarded by lock */
static pthread_t starter;      /* the thread that has started it, if it was this library */
static sidl_bool has_starter;  /* both written before machine */

static JavaVM* running(void) {
  return __atomic_load_n(&machine, __ATOMIC_ACQUIRE);
}

void end_java(void) {
  __atomic_store_n(&has_ended, TRUE, __ATOMIC_RELEASE);
}

/*
 * A thread of Java's own that is in a call from Java, perhaps of a shutdown hook: so Java runs. One
 * that has started Java may have come from elsewhere.
 */
static sidl_bool comes_from_java(void) {
  const struct thread* const thread = this_thread();
  if (thread == NULL || thread->env != NULL) return FALSE;
  if (use_count(thread) > 0) return TRUE;
  if (has_starter && pthread_equal(starter, pthread_self())) return FALSE;
  JavaVM* const vm = running();
  JNIEnv* env = NULL;
  return vm != NULL && (*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_10) == JNI_OK;
}

static sidl_bool is_usable(void) {
  return __atomic_load_n(&generation, __ATOMIC_RELAXED) == sidl_fork_generation() &&
         (!__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE) || comes_from_java());
}

static sem_t preparation;

void java_is_prepared(void) {
  sem_post(&preparation);
}

/*
 * A short program may end before Java is prepared: the objects that are made for that are no leaks.
 * A program that Java itself has started waits in Java (sidl.binding.Native).
 */
static void await_preparation(void* unused) {
  (void)unused;
  if (!is_usable()) return;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  while (sem_timedwait(&preparation, &until) != 0 && errno == EINTR) continue;
}

void adopt_machine(JavaVM* vm) {
  sem_init(&preparation, 0, 0);
  sidl_atexit(await_preparation, NULL);
  __atomic_store_n(&generation, sidl_fork_generation(), __ATOMIC_RELAXED);
  __atomic_store_n(&machine, vm, __ATOMIC_RELEASE);
}

typedef jint (*get_machines)(JavaVM**, jsize, jsize*);
typedef jint (*create_machine)(JavaVM**, void**, void*);

/* The JVM that somebody else has started. */
static JavaVM* find_machine(void) {
  void* const symbol = dlsym(RTLD_DEFAULT, "JNI_GetCreatedJavaVMs");
  void* const library = symbol == NULL ? dlopen("libjvm.so", RTLD_NOW | RTLD_NOLOAD) : NULL;
  get_machines get;
  *(void**)(void*)&get =
      symbol != NULL ? symbol : (library == NULL ? NULL : dlsym(library, "JNI_GetCreatedJavaVMs"));
  JavaVM* found = NULL;
  jsize count = 0;
  if (get != NULL) get(&found, 1, &count);
  if (library != NULL) dlclose(library);
  return count > 0 ? found : NULL;
}

/* ---- starting one
 * ---------------------------------------------------------------------------------
 */

static void* open_jvm(char* reason, size_t size) {
  const char* const home = getenv("JAVA_HOME");
  const char* const candidates[] = {home, SHINAR_JAVA_HOME, NULL};
  char path[1024];
  snprintf(reason, size, "libjvm.so was not found");
  for (size_t i = 0; i < 2; ++i) {
    if (candidates[i] == NULL || *candidates[i] == '\0') continue;
    snprintf(path, sizeof path, "%s/lib/server/libjvm.so", candidates[i]);
    void* const library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library != NULL) return library;
    snprintf(reason, size, "%s", dlerror());
  }
  return dlopen("libjvm.so", RTLD_NOW | RTLD_GLOBAL);
}

/* The folder of this library. */
static void own_folder(char* path, size_t size, char* file, size_t file_size) {
  Dl_info found;
  path[0] = file[0] = '\0';
  if (dladdr((const void*)&machine, &found) == 0 || found.dli_fname == NULL) return;
  snprintf(file, file_size, "%s", found.dli_fname);
  snprintf(path, size, "%s", found.dli_fname);
  char* const end = strrchr(path, '/');
  if (end != NULL) *end = '\0';
}

struct options {
  JavaVMOption* all;
  jint count;
};

static void add_option(struct options* options, const char* text) {
  JavaVMOption* const more =
      realloc(options->all, ((size_t)options->count + 1) * sizeof *options->all);
  if (more == NULL) return;
  options->all = more;
  options->all[options->count++] = (JavaVMOption){.optionString = strdup(text)};
}

/* What the user wants is separated by blanks. */
static void add_own_options(struct options* options) {
  const char* const given = getenv("SIDL_JVM_OPTIONS");
  char* const text = given == NULL ? NULL : strdup(given);
  char* rest = NULL;
  for (char* each = text == NULL ? NULL : strtok_r(text, " \t\n", &rest); each != NULL;
       each = strtok_r(NULL, " \t\n", &rest)) {
    add_option(options, each);
  }
  free(text);
}

static void make_options(struct options* options) {
  char folder[1024], file[1024];
  own_folder(folder, sizeof folder, file, sizeof file);
  const char* const own = getenv("SIDL_CLASS_PATH");
  const char* const classes = getenv("CLASSPATH");
  const size_t size = strlen(folder) + (own == NULL ? 0 : strlen(own)) +
                      (classes == NULL ? 0 : strlen(classes)) + 128;
  char* const text = malloc(size);
  if (text == NULL) return;
  snprintf(text, size, "-Djava.class.path=%s/shinar/java/shinar.jar%s%s%s%s", folder,
           own == NULL ? "" : ":", own == NULL ? "" : own, classes == NULL ? "" : ":",
           classes == NULL ? "" : classes);
  add_option(options, text);
  snprintf(text, size, "-Dsidl.library=%s", file);
  add_option(options, text);
  free(text);
  add_option(options, "-Xrs");                               /* signals are the program's */
  add_option(options, "--enable-native-access=ALL-UNNAMED"); /* else Java 24 warns */
  add_own_options(options);
}

static JavaVM* start_machine(struct sidl_BaseInterface__object** ex) {
  char reason[512], text[1024];
  void* const library = open_jvm(reason, sizeof reason);
  create_machine create;
  *(void**)(void*)&create = library == NULL ? NULL : dlsym(library, "JNI_CreateJavaVM");
  if (create == NULL) {
    snprintf(text, sizeof text,
             "Java cannot be started: %s; set JAVA_HOME to the folder of a JDK or JRE", reason);
    *ex = exception_of(text);
    return NULL;
  }
  struct options options = {NULL, 0};
  make_options(&options);
  JavaVMInitArgs arguments = {
      .version = JNI_VERSION_10, .nOptions = options.count, .options = options.all};
  JavaVM* made = NULL;
  void* env = NULL;
  const jint status = create(&made, &env, &arguments);
  for (jint i = 0; i < options.count; ++i) free(options.all[i].optionString);
  free(options.all);
  if (status == JNI_OK) {
    starter = pthread_self();
    has_starter = TRUE;
    return made;
  }
  snprintf(text, sizeof text,
           "Java cannot be started: JNI_CreateJavaVM returned %d; if SIDL_JVM_OPTIONS is set, look "
           "there",
           (int)status);
  *ex = exception_of(text);
  return NULL;
}

/* Loads sidl.binding.Native, which loads this library into Java. */
static sidl_bool load_binding(JavaVM* vm, struct sidl_BaseInterface__object** ex) {
  JNIEnv* env = NULL;
  if ((*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_10) != JNI_OK &&
      (*vm)->AttachCurrentThreadAsDaemon(vm, (void**)&env, NULL) != JNI_OK) {
    *ex = exception_of("Java does not accept this thread");
    return FALSE;
  }
  const jclass native = (*env)->FindClass(env, "sidl/binding/Native");
  /* This initialises the class. */
  const jmethodID found =
      native == NULL ? NULL : (*env)->GetStaticMethodID(env, native, "parentOf", "(J)J");
  if (found != NULL && running() != NULL) return TRUE;
  if ((*env)->ExceptionCheck(env)) {
    (*env)->ExceptionDescribe(env);
    (*env)->ExceptionClear(env);
  }
  *ex = exception_of(
      "Java has no package sidl.binding: shinar.jar is not on its class path, or it is another "
      "version's");
  return FALSE;
}

static JavaVM* machine_of_process(struct sidl_BaseInterface__object** ex) {
  JavaVM* vm = running();
  if (vm != NULL) return vm;
  pthread_mutex_lock(&lock);
  vm = running();
  if (vm == NULL) {
    sidl_begin_loading();
    vm = find_machine();
    if (vm == NULL) vm = start_machine(ex);
    sidl_end_loading();
    if (vm != NULL && !load_binding(vm, ex)) vm = NULL; /* which adopts it */
  }
  pthread_mutex_unlock(&lock);
  return vm;
}

/* ---- threads
 * --------------------------------------------------------------------------------------
 */

void detach_thread(void) {
  JavaVM* const vm = running();
  if (vm != NULL && is_usable()) (*vm)->DetachCurrentThread(vm);
}

/* A thread that Java does not know is attached until it ends; it does not keep Java from ending. */
static JNIEnv* env_in(JavaVM* vm) {
  struct thread* const thread = this_thread();
  if (thread == NULL) return NULL;
  if (thread->env != NULL) return thread->env;
  JNIEnv* env = NULL;
  if ((*vm)->GetEnv(vm, (void**)&env, JNI_VERSION_10) == JNI_OK) return env;
  if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void**)&env, NULL) != JNI_OK) return NULL;
  thread->env = env;
  return env;
}

JNIEnv* java_env(struct sidl_BaseInterface__object** ex) {
  JavaVM* const vm = machine_of_process(ex);
  if (vm == NULL) return NULL;
  if (!is_usable()) {
    *ex =
        exception_of(__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE)
                         ? "Java has ended in this process"
                         : "Java does not run in this process, which is a fork of one that has it");
    return NULL;
  }
  JNIEnv* const env = env_in(vm);
  if (env == NULL) *ex = exception_of("Java does not accept this thread");
  return env;
}

JNIEnv* java_env_if_running(void) {
  JavaVM* const vm = running();
  return vm == NULL || !is_usable() ? NULL : env_in(vm);
}

void java_release(jobject global) {
  JNIEnv* const env = java_env_if_running();
  if (env == NULL) return; /* its memory is gone */
  (*env)->DeleteGlobalRef(env, global);
  __atomic_store_n(&has_released, TRUE, __ATOMIC_RELEASE);
}

sidl_bool java_has_released(void) {
  return __atomic_exchange_n(&has_released, FALSE, __ATOMIC_ACQ_REL);
}
