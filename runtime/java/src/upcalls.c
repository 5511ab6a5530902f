/* upcalls.c: calls to Java. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_struct_array.h"

/* ---- frames
 * --------------------------------------------------------------------------------------
 *
 * A thread has a frame for each call to Java that it is in. They outlive the thread, as it may not
 * be able to give them back to Java, and serve others.
 */

enum { header = 8, usual = 2048 - header };

struct frame {
  struct frame* below;
  jobject java; /* sidl.binding.Frame, kept */
  char* slots;
  size_t size;
};

struct frame_stack {
  struct frame* top;  /* in use */
  struct frame* free; /* not in use */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct frame* spare; /* of threads that have ended; guarded by lock */

void release_frames(struct frame_stack* frames) {
  if (frames == NULL) return;
  pthread_mutex_lock(&lock);
  while (frames->free != NULL) {
    struct frame* const each = frames->free;
    frames->free = each->below;
    each->below = spare;
    spare = each;
  }
  pthread_mutex_unlock(&lock);
  free(frames);
}

static struct frame* spare_frame(void) {
  pthread_mutex_lock(&lock);
  struct frame* const found = spare;
  if (found != NULL) spare = found->below;
  pthread_mutex_unlock(&lock);
  return found;
}

static struct frame* make_frame(JNIEnv* env, size_t size) {
  const jobject made = (*env)->CallStaticObjectMethod(env, java.frame, java.make_frame, (jint)size);
  if ((*env)->ExceptionCheck(env) || made == NULL) return NULL;
  const jlong address = (*env)->CallLongMethod(env, made, java.frame_address);
  struct frame* const frame = (*env)->ExceptionCheck(env) ? NULL : calloc(1, sizeof *frame);
  if (frame != NULL) {
    frame->java = (*env)->NewGlobalRef(env, made);
    frame->slots = sidl_java_pointer(address);
    frame->size = size < usual ? usual : size;
  }
  (*env)->DeleteLocalRef(env, made);
  if (frame == NULL || frame->java != NULL) return frame;
  free(frame);
  return NULL;
}

static void push(struct frame_stack* stack, struct frame* frame) {
  frame->below = stack->top;
  stack->top = frame;
}

/* NULL, perhaps with an exception in Java. */
static struct frame* enter_frame(JNIEnv* env, size_t size) {
  struct thread* const thread = this_thread();
  if (thread == NULL) return NULL;
  if (thread->frames == NULL) thread->frames = calloc(1, sizeof *thread->frames);
  struct frame_stack* const stack = thread->frames;
  if (stack == NULL) return NULL;
  struct frame* frame = NULL;
  if (size <= usual) {
    frame = stack->free;
    if (frame != NULL) stack->free = frame->below;
    if (frame == NULL) frame = spare_frame();
  }
  if (frame == NULL) frame = make_frame(env, size);
  if (frame == NULL) return NULL;
  memset(frame->slots - header, 0, size + header);
  push(stack, frame);
  return frame;
}

static void leave_frame(JNIEnv* env, struct frame* frame) {
  struct frame_stack* const stack = this_thread()->frames;
  stack->top = frame->below;
  if (frame->size > usual) {
    (*env)->DeleteGlobalRef(env, frame->java);
    free(frame);
    return;
  }
  frame->below = stack->free;
  stack->free = frame;
}

/* ---- one call
 * ------------------------------------------------------------------------------------
 */

size_t frame_size(const struct sidl_method_info* info) {
  size_t size = slot_of(&info->result);
  for (int32_t i = 0; i < info->arg_count; ++i) size += slot_of(&info->args[i].type);
  return size;
}

static sidl_bool has_layout(const struct sidl_type_ref* type) {
  return type->kind == sidl_kind_array && type->dimension != 0;
}

sidl_bool wants_layout(const struct sidl_method_info* info) {
  sidl_bool wanted = has_layout(&info->result);
  for (int32_t i = 0; i < info->arg_count; ++i) {
    wanted = wanted || has_layout(&info->args[i].type);
  }
  return wanted;
}

static void zero_outputs(const struct sidl_method_info* info, void* const* args, void* result) {
  if (result != NULL) memset(result, 0, size_of(&info->result));
  for (int32_t i = 0; i < info->arg_count; ++i) {
    if (info->args[i].mode == sidl_mode_out) memset(args[i], 0, size_of(&info->args[i].type));
  }
}

/* An inout struct with raw arrays, which are the caller's memory. */
static sidl_bool has_raw(const struct sidl_struct_info* info) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    if (type->kind == sidl_kind_rarray) return TRUE;
    if (type->kind == sidl_kind_struct && has_raw(type->structure)) return TRUE;
  }
  return FALSE;
}

static sidl_bool is_apart(const struct sidl_arg_info* argument) {
  return argument->mode == sidl_mode_inout && argument->type.kind == sidl_kind_struct &&
         has_raw(argument->type.structure);
}

/* Java gets a copy of what it must not replace; FALSE with *ex set. */
static sidl_bool copy_in(const struct sidl_method_info* info, void* const* args, char* slot,
                         struct sidl_BaseInterface__object** ex) {
  for (int32_t i = 0; i < info->arg_count && *ex == NULL; ++i) {
    const struct sidl_arg_info* const argument = &info->args[i];
    if (is_apart(argument)) {
      sidl_struct_copy(argument->type.structure, args[i], slot, ex);
    } else if (argument->mode != sidl_mode_out) {
      memcpy(slot, args[i], size_of(&argument->type));
    }
    slot += slot_of(&argument->type);
  }
  return *ex == NULL;
}

/* The elements of raw arrays are copied to the caller's memory, if they have as many. */
static void replace_apart(const struct sidl_method_info* info, void* const* args, char* slot,
                          struct sidl_BaseInterface__object** ex) {
  for (int32_t i = 0; i < info->arg_count; ++i) {
    const struct sidl_arg_info* const argument = &info->args[i];
    if (is_apart(argument)) {
      if (*ex == NULL) sidl_struct_replace(argument->type.structure, slot, args[i], ex);
      sidl_struct_destroy(argument->type.structure, slot);
    }
    slot += slot_of(&argument->type);
  }
}

/* Java has replaced other inout values where it got that far. */
static void copy_out(const struct sidl_method_info* info, void* const* args, void* result,
                     char* slot, struct sidl_BaseInterface__object** ex) {
  replace_apart(info, args, slot, ex);
  const sidl_bool has_failed = *ex != NULL;
  for (int32_t i = 0; i < info->arg_count; ++i) {
    const struct sidl_arg_info* const argument = &info->args[i];
    if (argument->mode == sidl_mode_out) {
      if (has_failed) destroy(&argument->type, slot);
      memcpy(args[i], slot, size_of(&argument->type));
    } else if (argument->mode == sidl_mode_inout && !is_apart(argument)) {
      memcpy(args[i], slot, size_of(&argument->type));
    }
    slot += slot_of(&argument->type);
  }
  if (result == NULL) return;
  if (has_failed) destroy(&info->result, slot);
  memcpy(result, slot, size_of(&info->result));
}

/* Of the same type; it shares nothing, as there is nothing. */
static struct sidl__array* empty_at_zero(struct sidl__array* array, const int64_t lower[],
                                         const int64_t lengths[]) {
  int64_t upper[SIDL_MAX_ARRAY_DIMENSION];
  for (int32_t d = 0; d < array->d_dimen; ++d) upper[d] = lengths[d] - 1;
  const struct sidl_struct_info* const structure = sidl__array_struct(array);
  return structure != NULL ? sidl_struct__array_create(structure, sidl_column_major_order,
                                                       array->d_dimen, lower, upper)
                           : sidl__array_create(sidl__array_type(array), sidl_column_major_order,
                                                array->d_dimen, lower, upper);
}

/* A raw array begins at 0, whatever bounds the caller's array has. NULL: no memory. */
static struct sidl__array* zero_based(struct sidl__array* array) {
  int64_t lengths[SIDL_MAX_ARRAY_DIMENSION];
  const int64_t lower[SIDL_MAX_ARRAY_DIMENSION] = {0};
  sidl_bool is_so = TRUE, is_empty = FALSE;
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    is_so = is_so && array->d_lower[d] == 0;
    lengths[d] = array->d_upper[d] - array->d_lower[d] + 1;
    is_empty = is_empty || lengths[d] == 0;
  }
  if (is_so) return array;
  if (is_empty) return empty_at_zero(array, lower, lengths); /* 0 would leave dimensions out */
  return sidl__array_slice(array, array->d_dimen, lengths, NULL, NULL, lower);
}

static void begin_at_zero(const struct sidl_method_info* info, void* const* args, char* slot,
                          struct sidl_BaseInterface__object** ex) {
  for (int32_t i = 0; i < info->arg_count; ++i) {
    struct sidl__array** const array = args[i];
    if (is_raw_array(&info->args[i].type) && *array != NULL) {
      struct sidl__array* const based = zero_based(*array);
      if (based == NULL && *ex == NULL) *ex = exception_of("no memory for an array");
      if (based != NULL) memcpy(slot, &based, sizeof based);
    }
    slot += slot_of(&info->args[i].type);
  }
}

/* The slots have what the caller has again. */
static void end_at_zero(const struct sidl_method_info* info, void* const* args, char* slot) {
  for (int32_t i = 0; i < info->arg_count; ++i) {
    if (is_raw_array(&info->args[i].type)) {
      struct sidl__array* based = NULL;
      memcpy(&based, slot, sizeof based);
      if (based != *(struct sidl__array**)args[i]) sidl__array_deleteRef(based);
      memcpy(slot, args[i], sizeof based);
    }
    slot += slot_of(&info->args[i].type);
  }
}

static void end_loans(JNIEnv* env, const struct upcall* what, const struct frame* frame,
                      struct sidl_BaseInterface__object** ex) {
  (*env)->CallVoidMethod(env, frame->java, java.end_loans);
  if (!(*env)->ExceptionCheck(env)) return;
  struct sidl_BaseInterface__object* const more = take_exception(env, what->name);
  if (*ex == NULL) {
    *ex = more;
  } else {
    drop(more);
  }
}

static void run(JNIEnv* env, const struct upcall* what, const struct frame* frame,
                struct sidl_BaseInterface__object** ex) {
  int32_t* const flags = (int32_t*)(void*)(frame->slots - header);
  flags[0] = what->has_hooks;
  const jvalue with_target[] = {{.l = what->target}, {.l = frame->java}};
  (*env)->CallStaticVoidMethodA(env, what->type, what->id,
                                what->target == NULL ? with_target + 1 : with_target);
  if ((*env)->ExceptionCheck(env)) *ex = take_exception(env, what->name);
  if (flags[1] != 0) end_loans(env, what, frame, ex);
}

void upcall(JNIEnv* env, const struct upcall* what, void* const* args, void* result,
            struct sidl_BaseInterface__object** ex) {
  const struct sidl_method_info* const info = what->info;
  zero_outputs(info, args, result);
  if (what->has_layout && !sidl_skel_enter(info, args, ex)) return;
  struct frame* const frame = enter_frame(env, what->size);
  if (frame == NULL) {
    if ((*env)->ExceptionCheck(env)) (*env)->ExceptionClear(env);
    *ex = exception_of("no memory for a call to Java, or its stack is at its end");
  } else {
    if (copy_in(info, args, frame->slots, ex)) {
      if (what->has_layout) begin_at_zero(info, args, frame->slots, ex);
      if (*ex == NULL) run(env, what, frame, ex);
      if (what->has_layout) end_at_zero(info, args, frame->slots);
      copy_out(info, args, result, frame->slots, ex);
    } else {
      replace_apart(info, args, frame->slots, ex); /* frees those that there are */
    }
    leave_frame(env, frame);
  }
  if (what->has_layout) sidl_skel_leave(info, args, result, ex);
}
