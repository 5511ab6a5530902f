/*
 * scl.c: a strict reader for the small part of XML that catalogues use: elements, attributes,
 * comments, processing instructions, a document type without internal subset, and the predefined
 * entities. Text between elements must be white space. Works in fixed memory.
 */
#include "object/scl.h"

#include <stdint.h>
#include <string.h>

enum { MAX_VALUE = 4096, MAX_NAME = 64 };

enum depth { OUTSIDE, IN_SCL, IN_LIBRARY, IN_CLASS, AFTER };

struct reader {
  const char* at;
  const char* end;
  const char* error;
  scl_visitor visit;
  void* context;
  enum depth depth;
  struct scl_class library; /* attributes of the current library */
  char uri[MAX_VALUE];
};

struct tag {
  char element[MAX_NAME];
  bool empty;
  char uri[MAX_VALUE], name[MAX_VALUE], desc[MAX_VALUE], scope[MAX_NAME], resolution[MAX_NAME];
};

static bool fail(struct reader* r, const char* error) {
  if (r->error == NULL) r->error = error;
  return false;
}

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == ':';
}

static void skip_space(struct reader* r) {
  while (r->at < r->end && is_space(*r->at)) ++r->at;
}

static bool starts_with(const struct reader* r, const char* word) {
  const size_t length = strlen(word);
  return (size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0;
}

/* Skips past the next `word`. */
static bool skip_past(struct reader* r, const char* word) {
  for (; r->at < r->end; ++r->at) {
    if (starts_with(r, word)) {
      r->at += strlen(word);
      return true;
    }
  }
  return fail(r, "unexpected end of file");
}

static bool read_name(struct reader* r, char* name) {
  size_t length = 0;
  while (r->at < r->end && is_name(*r->at)) {
    if (length + 1 == MAX_NAME) return fail(r, "name too long");
    name[length++] = *r->at++;
  }
  name[length] = '\0';
  return length > 0 || fail(r, "missing name");
}

/* After '&'. Only the predefined entities: character references are not supported. */
static bool read_entity(struct reader* r, char* c) {
  static const struct {
    const char* name;
    char value;
  } entities[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
  for (size_t i = 0; i < sizeof entities / sizeof entities[0]; ++i) {
    if (starts_with(r, entities[i].name)) {
      r->at += strlen(entities[i].name);
      *c = entities[i].value;
      return true;
    }
  }
  return fail(r, "unknown entity");
}

static bool read_value(struct reader* r, char* value, size_t size) {
  skip_space(r);
  if (r->at == r->end || *r->at != '=') return fail(r, "'=' is missing");
  ++r->at;
  skip_space(r);
  if (r->at == r->end || (*r->at != '"' && *r->at != '\'')) return fail(r, "missing quote");
  const char quote = *r->at++;
  size_t length = 0;
  while (r->at < r->end && *r->at != quote) {
    char c = *r->at++;
    if (c == '&' && !read_entity(r, &c)) return false;
    if (c == '<' && r->at[-1] == '<') return fail(r, "'<' in an attribute");
    if (c == '\0') return fail(r, "a NUL byte");
    if (length + 1 == size) return fail(r, "attribute too long");
    value[length++] = c;
  }
  if (r->at == r->end) return fail(r, "missing closing quote");
  ++r->at;
  value[length] = '\0';
  return true;
}

static bool read_attribute(struct reader* r, struct tag* tag) {
  char name[MAX_NAME];
  char other[MAX_VALUE];
  if (!read_name(r, name)) return false;
  if (strcmp(name, "uri") == 0) return read_value(r, tag->uri, sizeof tag->uri);
  if (strcmp(name, "name") == 0) return read_value(r, tag->name, sizeof tag->name);
  if (strcmp(name, "desc") == 0) return read_value(r, tag->desc, sizeof tag->desc);
  if (strcmp(name, "scope") == 0) return read_value(r, tag->scope, sizeof tag->scope);
  if (strcmp(name, "resolution") == 0) return read_value(r, tag->resolution, MAX_NAME);
  return read_value(r, other, sizeof other); /* md5, sha1 and others are ignored */
}

/* After '<'. */
static bool read_tag(struct reader* r, struct tag* tag) {
  tag->uri[0] = tag->name[0] = tag->desc[0] = tag->scope[0] = tag->resolution[0] = '\0';
  if (!read_name(r, tag->element)) return false;
  for (;;) {
    skip_space(r);
    if (r->at == r->end) return fail(r, "unexpected end of file");
    tag->empty = starts_with(r, "/>");
    if (tag->empty || *r->at == '>') {
      r->at += tag->empty ? 2 : 1;
      return true;
    }
    if (!read_attribute(r, tag)) return false;
  }
}

static bool open_library(struct reader* r, const struct tag* tag) {
  if (tag->uri[0] == '\0') return fail(r, "<library> without uri");
  memcpy(r->uri, tag->uri, sizeof r->uri);
  r->library.uri = r->uri;
  r->library.global = strcmp(tag->scope, "global") == 0;
  r->library.lazy = strcmp(tag->resolution, "now") != 0;
  if (!tag->empty) r->depth = IN_LIBRARY;
  return true;
}

static bool open_class(struct reader* r, const struct tag* tag) {
  if (tag->name[0] == '\0') return fail(r, "<class> without name");
  struct scl_class found = r->library;
  found.name = tag->name;
  found.description = tag->desc[0] == '\0' ? "ior/impl" : tag->desc;
  if (!r->visit(r->context, &found)) return fail(r, "no memory");
  if (!tag->empty) r->depth = IN_CLASS;
  return true;
}

static bool open_element(struct reader* r, const struct tag* tag) {
  if (r->depth == OUTSIDE && strcmp(tag->element, "scl") == 0) {
    r->depth = tag->empty ? AFTER : IN_SCL;
    return true;
  }
  if (r->depth == IN_SCL && strcmp(tag->element, "library") == 0) return open_library(r, tag);
  if (r->depth == IN_LIBRARY && strcmp(tag->element, "class") == 0) return open_class(r, tag);
  return fail(r, "unexpected element (expected scl > library > class)");
}

/* After "</". */
static bool close_element(struct reader* r) {
  static const char* const names[] = {
      [IN_SCL] = "scl", [IN_LIBRARY] = "library", [IN_CLASS] = "class"};
  char name[MAX_NAME];
  if (!read_name(r, name)) return false;
  skip_space(r);
  if (r->at == r->end || *r->at != '>') return fail(r, "'>' is missing");
  ++r->at;
  if (r->depth == OUTSIDE || r->depth == AFTER || strcmp(name, names[r->depth]) != 0) {
    return fail(r, "end tag without start tag");
  }
  r->depth = r->depth == IN_SCL ? AFTER : (enum depth)(r->depth - 1);
  return true;
}

static bool read_item(struct reader* r, struct tag* tag) {
  if (*r->at != '<') return fail(r, "text between elements");
  if (starts_with(r, "<!--")) return skip_past(r, "-->");
  if (starts_with(r, "<?")) return skip_past(r, "?>");
  if (starts_with(r, "<!DOCTYPE")) return skip_past(r, ">");
  if (starts_with(r, "</")) {
    r->at += 2;
    return close_element(r);
  }
  ++r->at;
  return read_tag(r, tag) && open_element(r, tag);
}

const char* scl_read(const char* text, size_t length, scl_visitor visit, void* context, int* line) {
  struct reader r = {.at = text, .end = text + length, .visit = visit, .context = context};
  struct tag tag;
  if (starts_with(&r, "\xEF\xBB\xBF")) r.at += 3;
  for (skip_space(&r); r.at < r.end && r.error == NULL; skip_space(&r)) read_item(&r, &tag);
  if (r.error == NULL && r.depth != AFTER) fail(&r, "unexpected end of file");
  *line = 1;
  for (const char* p = text; p < r.at; ++p) *line += *p == '\n';
  return r.error;
}
