#include "contract/note.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/reference.h"
#include "base/text.h"
#include "contract/walk.h"
#include "sidl_BaseException_IOR.h"
#include "sidl_String.h"
#include "sidl_printable.h"
#include "sidl_protocol.h"

/* ---- values ---------------------------------------------------------------------------------- */

enum { MOST_ELEMENTS = 6, MOST_CHARS = 60 };

/* With no more digits than tell it from other doubles, as which floats are compared, too: 0.1 as a
 * float is not less than 0.1. */
static void add_real(struct text* text, double value) {
  char chars[32];
  for (int digits = 14; digits <= 17; ++digits) {
    snprintf(chars, sizeof chars, "%.*g", digits, value);
    if (strtod(chars, NULL) == value) break;
  }
  text_append_string(text, chars);
}

static void add_complex(struct text* text, double real, double imaginary) {
  text_append_string(text, "{");
  add_real(text, real);
  text_append_string(text, ", ");
  add_real(text, imaginary);
  text_append_string(text, "}");
}

/* A note is UTF-8, whatever the bytes of a char or string are. */
static void add_char(struct text* text, char value) {
  const unsigned char byte = (unsigned char)value;
  if (byte == '\'' || byte == '\\') {
    text_append_format(text, "'\\%c'", byte); /* as clauses write it */
  } else {
    text_append_format(text, byte >= 0x20 && byte < 0x7f ? "'%c'" : "'\\x%02x'", byte);
  }
}

/* As many characters as fit `most` bytes; false if there are more. */
static bool add_escaped(struct text* text, const char* chars, size_t most) {
  const size_t length = strlen(chars);
  for (size_t at = 0; at < length;) {
    char escape[SIDL_ESCAPE_SIZE];
    const size_t bytes = sidl_escape(chars + at, length - at, escape);
    if (at + bytes > most) return false;
    if (escape[0] != '\0') {
      text_append_string(text, escape);
    } else {
      text_append(text, chars + at, bytes);
    }
    at += bytes;
  }
  return true;
}

static void add_string(struct text* text, const char* string) {
  if (string == NULL) {
    text_append_string(text, "null");
    return;
  }
  text_append_string(text, "\"");
  const bool is_all = add_escaped(text, string, MOST_CHARS);
  text_append_string(text, is_all ? "\"" : "\"...");
}

static void add_number(struct text* text, int32_t kind, const void* value) {
  switch (kind) {
    case sidl_kind_int:
      text_append_format(text, "%" PRId32, *(const int32_t*)value);
      break;
    case sidl_kind_long:
    case sidl_kind_enum:
      text_append_format(text, "%" PRId64, *(const int64_t*)value);
      break;
    case sidl_kind_float:
      add_real(text, (double)*(const float*)value);
      break;
    case sidl_kind_double:
      add_real(text, *(const double*)value);
      break;
    case sidl_kind_fcomplex: {
      const struct sidl_fcomplex* const z = value;
      add_complex(text, (double)z->real, (double)z->imaginary);
      break;
    }
    default: {
      const struct sidl_dcomplex* const z = value;
      add_complex(text, z->real, z->imaginary);
    }
  }
}

static void add_shape(struct text* text, const struct sidl__array* array) {
  for (int32_t d = 0; d < array->d_dimen; ++d) {
    text_append_format(text, "%s%" PRId64, d == 0 ? "" : " x ",
                       array->d_upper[d] - array->d_lower[d] + 1);
  }
}

static void add_array(struct text* text, const struct sidl__array* array) {
  if (array == NULL) {
    text_append_string(text, "null");
    return;
  }
  text_append_string(text, "an array of ");
  add_shape(text, array);
  if (!walk_has_numbers(array)) return;
  const char* separator = " (";
  const size_t count = sidl__array_element_count(array);
  for (size_t i = 0; i < count && i < MOST_ELEMENTS; ++i) {
    text_append_string(text, separator);
    add_number(text, walk_kind(array), walk_element(array, i));
    separator = ", ";
  }
  if (count > 0) text_append_string(text, count > MOST_ELEMENTS ? ", ...)" : ")");
}

static void add_value(struct text* text, const struct sidl_type_ref* type, const void* value) {
  switch (type->kind) {
    case sidl_kind_bool:
      text_append_string(text, *(const sidl_bool*)value ? "true" : "false");
      break;
    case sidl_kind_char:
      add_char(text, *(const char*)value);
      break;
    case sidl_kind_string:
      add_string(text, *(char* const*)value);
      break;
    case sidl_kind_array:
      add_array(text, *(struct sidl__array* const*)value);
      break;
    case sidl_kind_class:
    case sidl_kind_interface:
    case sidl_kind_opaque:
      text_append_string(text, *(void* const*)value == NULL ? "null" : "not null");
      break;
    case sidl_kind_struct:
      text_append_string(text, type->structure->name);
      break;
    default:
      add_number(text, type->kind, value);
  }
}

/* As the declaration of the clause calls it. */
static void add_name(struct text* text, const struct sidl_clause* clause,
                     const struct sidl_method_info* method, int32_t argument) {
  const char* name = clause->arguments;
  if (name == NULL) {
    text_append_string(text, method->args[argument].name);
    return;
  }
  for (int32_t i = 0; i < argument; ++i) name += strcspn(name, ",") + 1;
  text_append(text, name, strcspn(name, ","));
}

static void add_values(struct text* text, const struct sidl_check* check,
                       const struct sidl_method_info* method, void* const* args,
                       const void* result) {
  const uint64_t reads = check->violated->reads;
  const char* separator = ", where ";
  for (int32_t i = 0; args != NULL && i < method->arg_count && i < 63; ++i) {
    if ((reads >> i & 1) == 0) continue;
    text_append_string(text, separator);
    add_name(text, check->violated, method, i);
    text_append_string(text, " is ");
    add_value(text, &method->args[i].type, args[i]);
    separator = " and ";
  }
  if ((reads & SIDL_READS_RESULT) == 0 || result == NULL) return;
  text_append_format(text, "%sthe result is ", separator);
  add_value(text, &method->result, result);
}

/* ---- notes
 * --------------------------------------------------------------------------------------- */

static const char* word_of(const struct sidl_clause* clause) {
  if ((clause->kind & sidl_clause_require) != 0) return "precondition";
  return (clause->kind & sidl_clause_ensure) != 0 ? "postcondition" : "invariant";
}

/* Why it has no value. */
static void add_reason(struct text* text, const struct sidl_check* check,
                       const struct sidl_contract* contract) {
  if (contract->flags != 0 && check->thrown != NULL) {
    struct sidl_BaseInterface__object* ex = NULL;
    struct sidl_BaseException__object* const thrown =
        sidl_cast(check->thrown, &sidl_BaseException__info, &ex);
    char* const note = thrown == NULL ? NULL : thrown->d_epv->f_getNote(thrown->d_object, &ex);
    text_append_format(text, "; a method that it calls throws %s: %s",
                       sidl_object_type(check->thrown)->name, note == NULL ? "" : note);
    sidl_String_free(note);
    if (thrown != NULL) reference_drop(thrown);
    if (ex != NULL) reference_drop(ex);
  } else if (check->why != NULL) {
    text_append_format(text, "; %s", check->why);
  }
}

char* note_of_violation(const struct sidl_check* check, const struct sidl_contract* contract,
                        void* const* args, const void* result) {
  const struct sidl_clause* const clause = check->violated;
  struct text text = {0};
  text_append_string(&text, word_of(clause));
  if (clause->name != NULL) text_append_format(&text, " '%s'", clause->name);
  text_append_format(&text, " of %s", contract->type);
  const bool is_invariant = (clause->kind & sidl_clause_invariant) != 0;
  if (!is_invariant) text_append_format(&text, ".%s", contract->name);
  text_append_format(&text, " does not hold%s%s: %s",
                     is_invariant && contract->name != NULL ? " after " : "",
                     is_invariant && contract->name != NULL ? contract->name : "", clause->text);
  if (!is_invariant) add_values(&text, check, contract->method, args, result);
  add_reason(&text, check, contract);
  if (!text_append_format(&text, " (%s:%" PRId32 ")", clause->source, clause->line)) {
    text_free(&text);
    return NULL;
  }
  return text.chars;
}

void note_in_trace(struct sidl_BaseInterface__object* exception, const char* line) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct sidl_BaseException__object* const base =
      sidl_cast(exception, &sidl_BaseException__info, &ex);
  if (base == NULL) return;
  base->d_epv->f_addLine(base->d_object, line, &ex);
  reference_drop(base);
  if (ex != NULL) reference_drop(ex);
}
