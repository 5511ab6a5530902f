/* calls.c: calls from Java. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sidl_struct_array.h"

void* sidl_java_enter_slowly(JNIEnv* env, jlong cell) {
  struct thread* const thread = this_thread();
  void* const object = thread == NULL ? NULL : use_cell(thread, sidl_java_pointer(cell));
  if (object == NULL) throw_closed(env, sidl_java_pointer(cell));
  return object;
}

/* The note may have been cleared already. */
void sidl_java_leave_slowly(JNIEnv* env, jlong cell, struct sidl_BaseInterface__object* ex) {
  end_use_of(this_thread(), sidl_java_pointer(cell));
  if (ex != NULL) sidl_java_throw(env, ex);
}

/* An argument whose slot has a cell. */
static sidl_bool is_kept(const struct sidl_arg_info* argument) {
  const struct sidl_type_ref* const type = &argument->type;
  if (argument->mode == sidl_mode_in) return is_object(type) || type->kind == sidl_kind_array;
  return argument->mode == sidl_mode_inout && is_raw_array(type);
}

/* Why an argument cannot be passed; thrown when nothing is in use any more. */
struct refusal {
  char text[512]; /* "": it can, or the call has an exception */
};

static void refuse(struct refusal* refusal, const struct sidl_java_call* call,
                   const struct sidl_arg_info* argument, const char* what) {
  snprintf(refusal->text, sizeof refusal->text, "argument '%s' of %s.%s %s", argument->name,
           call->method->type->name, call->method->name, what);
}

/* The object as the type of the argument; the cast may have made a reference. */
static void* view_of(struct sidl_java_call* call, const struct sidl_arg_info* argument,
                     const struct cell* cell, void* object, struct refusal* refusal) {
  const struct sidl_type_info* const wanted = argument->type.object;
  if (wanted == NULL || cell->info == wanted) return object;
  void* view = sidl_cast_borrowed(object, wanted);
  if (view != NULL) return view;
  void** const more = realloc(call->views, ((size_t)call->view_count + 1) * sizeof *call->views);
  if (more == NULL) {
    refuse(refusal, call, argument, "cannot be cast: no memory");
    return NULL;
  }
  call->views = more;
  view = sidl_cast(object, wanted, &call->ex);
  if (view != NULL) {
    call->views[call->view_count++] = view;
  } else if (call->ex == NULL) {
    char text[256];
    snprintf(text, sizeof text, "is not a %s", wanted->name);
    refuse(refusal, call, argument, text);
  }
  return view;
}

/*
 * Java checks the elements of a StructArray<S> when it is compiled, unless its type is left raw:
 * native code would read other structs as the wanted ones.
 */
static sidl_bool has_wanted_structs(const struct sidl_java_call* call,
                                    const struct sidl_arg_info* argument, const char* slot,
                                    struct refusal* refusal) {
  const struct sidl_type_ref* const type = &argument->type;
  if (type->kind != sidl_kind_array || type->element != sidl_kind_struct) return TRUE;
  if (argument->mode == sidl_mode_out) return TRUE;
  struct sidl__array* array;
  memcpy(&array, slot, sizeof array);
  if (array == NULL || sidl_struct__array_cast(type->structure, array) != NULL) return TRUE;
  char text[256];
  snprintf(text, sizeof text, "is no array of struct %s", type->structure->name);
  refuse(refusal, call, argument, text);
  return FALSE;
}

/* Replaces the cell of an argument by what is in it. */
static sidl_bool open_argument(struct sidl_java_call* call, struct thread* thread,
                               const struct sidl_arg_info* argument, char* slot,
                               struct refusal* refusal) {
  struct cell* cell;
  memcpy(&cell, slot, sizeof cell);
  if (cell == NULL) return use_nothing(thread);
  void* object = use_cell(thread, cell);
  if (object == NULL) {
    char text[400];
    memset(slot, 0, sizeof cell);
    describe_closed(cell, text, sizeof text);
    refuse(refusal, call, argument, text);
    return FALSE;
  }
  if (cell->info != NULL) object = view_of(call, argument, cell, object, refusal);
  if (argument->mode == sidl_mode_inout) sidl__array_addRef(object);
  memcpy(slot, &object, sizeof object);
  return object != NULL;
}

/* A raw array that another one was returned for: the caller's gets its elements. */
static void close_raw(struct sidl_java_call* call, const struct cell* cell, char* slot) {
  struct sidl__array* returned;
  memcpy(&returned, slot, sizeof returned);
  memset(slot, 0, sizeof returned);
  struct sidl__array* own = __atomic_load_n(&cell->it.object, __ATOMIC_ACQUIRE);
  if (own == NULL) own = __atomic_load_n(&cell->it.leaving, __ATOMIC_ACQUIRE);
  if (returned != NULL && own != NULL && returned != own && call->ex == NULL) {
    int64_t lengths[SIDL_MAX_ARRAY_DIMENSION];
    for (int32_t d = 0; d < own->d_dimen; ++d) lengths[d] = sidlLength(own, d);
    /* Bounds may differ, lengths do not. */
    struct sidl__array* const to =
        sidl__array_slice(own, own->d_dimen, lengths, NULL, NULL, returned->d_lower);
    sidl__array_copy(returned, to);
    sidl__array_deleteRef(to);
  }
  sidl__array_deleteRef(returned);
}

/* Empties what the frame's slots have been given, but not the results. */
static void close_arguments(struct sidl_java_call* call, sidl_bool with_inouts) {
  struct thread* const thread = this_thread();
  const struct sidl_method_info* const method = call->method;
  char* slot = call->frame;
  int32_t use = call->first + (call->self != NULL);
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const argument = &method->args[i];
    struct cell* const cell = use < use_count(thread) ? use_at(thread, use) : NULL;
    if (is_kept(argument)) {
      ++use;
      if (cell != NULL && argument->mode == sidl_mode_inout) close_raw(call, cell, slot);
      memset(slot, 0, sizeof(void*));
    } else if (argument->mode == sidl_mode_in && argument->type.kind == sidl_kind_string) {
      memset(slot, 0, sizeof(void*));
    } else if (argument->mode == sidl_mode_in ||
               (with_inouts && argument->mode == sidl_mode_inout)) {
      destroy(&argument->type, slot);
    }
    slot += slot_of(&argument->type);
  }
  while (use_count(thread) > call->first) end_use(thread);
  while (call->view_count > 0) drop(call->views[--call->view_count]);
  free(call->views);
  call->views = NULL;
}

sidl_bool sidl_java_begin(struct sidl_java_call* call, JNIEnv* env, jlong cell,
                          const struct sidl_method_info* method, jlong frame) {
  struct thread* const thread = this_thread();
  *call = (struct sidl_java_call){.env = env, .method = method, .frame = sidl_java_pointer(frame)};
  if (thread == NULL) {
    throw_java(env, "java/lang/OutOfMemoryError", "no memory for a call");
    return FALSE;
  }
  call->first = use_count(thread);
  if (cell != 0) {
    call->self = sidl_java_enter(env, cell);
    if (call->self == NULL) return FALSE;
  }
  char* slot = call->frame;
  struct refusal refusal;
  refusal.text[0] = '\0';
  for (int32_t i = 0; i < method->arg_count; ++i) {
    const struct sidl_arg_info* const argument = &method->args[i];
    if ((is_kept(argument) && !open_argument(call, thread, argument, slot, &refusal)) ||
        !has_wanted_structs(call, argument, slot, &refusal)) {
      /* The rest are cells still. */
      for (int32_t rest = i; rest < method->arg_count; ++rest) {
        if (is_kept(&method->args[rest])) memset(slot, 0, sizeof(void*));
        slot += slot_of(&method->args[rest].type);
      }
      struct sidl_BaseInterface__object* const ex = call->ex;
      close_arguments(call, TRUE);
      if (ex != NULL) sidl_java_throw(env, ex);
      if (ex == NULL) throw_java(env, "java/lang/IllegalArgumentException", refusal.text);
      return FALSE;
    }
    slot += slot_of(&argument->type);
  }
  return TRUE;
}

void sidl_java_end(struct sidl_java_call* call) {
  struct sidl_BaseInterface__object* const ex = call->ex;
  if (ex != NULL && call->method->result.kind != sidl_kind_void) {
    /* A result together with an exception is ignored, and may be anything. */
    char* slot = call->frame;
    for (int32_t i = 0; i < call->method->arg_count; ++i) {
      slot += slot_of(&call->method->args[i].type);
    }
    memset(slot, 0, slot_of(&call->method->result));
  }
  close_arguments(call, ex != NULL);
  if (ex != NULL) sidl_java_throw(call->env, ex);
}
