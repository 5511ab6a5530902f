#include "object/catalogue.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object/scl.h"
#include "sidl_String.h"

enum { MAX_FILE = 1 << 20 };

struct file_context {
  struct catalogue* catalogue;
  const char* folder; /* of the .scl file, without final '/' */
};

/* Line 0: the file as a whole. */
static void problem(struct catalogue* c, const char* file, int line, const char* what) {
  char* const place = line == 0 ? text_format("%s", file) : text_format("%s:%d", file, line);
  const char* const known = place == NULL ? file : place;
  library_trace("%s: %s", known, what);
  text_append_format(&c->problems, "%s%s: %s", c->problems.length > 0 ? "; " : "", known, what);
  free(place);
}

/*
 * Resolves a uri of a catalogue. A file name without folder means the file next to the catalogue if
 * there is one, else what the system finds under that name.
 */
static char* resolve_uri(const char* folder, const char* uri) {
  if (strncmp(uri, "main:", 5) == 0) return sidl_String_strdup("main:");
  if (strncmp(uri, "file://", 7) == 0) {
    uri += 7;
  } else if (strncmp(uri, "file:", 5) == 0) {
    uri += 5;
  }
  if (*uri == '/') return sidl_String_strdup(uri);
  char* const beside = text_format("%s/%s", folder, uri);
  if (beside == NULL || strchr(uri, '/') != NULL || access(beside, R_OK) == 0) return beside;
  free(beside);
  return sidl_String_strdup(uri);
}

void library_entry_free(struct library_entry* entry) {
  free(entry->class_name);
  free(entry->description);
  free(entry->uri);
  *entry = (struct library_entry){0};
}

static bool grow(struct catalogue* c) {
  if (c->count < c->capacity) return true;
  const size_t capacity = c->capacity == 0 ? 16 : 2 * c->capacity;
  struct library_entry* const entries = realloc(c->entries, capacity * sizeof *entries);
  if (entries == NULL) return false;
  c->entries = entries;
  c->capacity = capacity;
  return true;
}

static bool add_class(void* context, const struct scl_class* found) {
  const struct file_context* const file = context;
  struct catalogue* const c = file->catalogue;
  if (!grow(c)) return false;
  struct library_entry entry = {
      .class_name = sidl_String_strdup(found->name),
      .description = sidl_String_strdup(found->description),
      .uri = resolve_uri(file->folder, found->uri),
      .global = found->global,
      .lazy = found->lazy,
  };
  if (entry.class_name == NULL || entry.description == NULL || entry.uri == NULL) {
    library_entry_free(&entry);
    return false;
  }
  c->entries[c->count++] = entry;
  return true;
}

/* The whole file, or NULL with the reason in *error. */
static char* slurp(const char* name, size_t* length, const char** error) {
  FILE* const file = fopen(name, "re");
  char* const text = file == NULL ? NULL : malloc(MAX_FILE + 1);
  *error = file == NULL ? strerror(errno) : "no memory";
  if (text != NULL) {
    *length = fread(text, 1, MAX_FILE + 1, file);
    *error = ferror(file) ? "cannot be read" : *length > MAX_FILE ? "larger than 1 MiB" : NULL;
  }
  if (file != NULL) fclose(file);
  if (*error == NULL) return text;
  free(text);
  return NULL;
}

static void read_catalogue(struct catalogue* c, const char* name) {
  size_t length = 0;
  const char* error = NULL;
  char* const text = slurp(name, &length, &error);
  if (text == NULL) {
    problem(c, name, 0, error);
    return;
  }
  const char* const slash = strrchr(name, '/');
  char* const folder =
      slash == NULL ? sidl_String_strdup(".") : sidl_String_strndup(name, (size_t)(slash - name));
  struct file_context context = {c, folder};
  int line = 0;
  library_trace("reading catalogue %s", name);
  error = folder == NULL ? "no memory" : scl_read(text, length, add_class, &context, &line);
  if (error != NULL) problem(c, name, line, error);
  free(folder);
  free(text);
}

static bool ends_with(const char* name, const char* end) {
  return sidl_String_endsWith(name, end);
}

static int is_catalogue(const struct dirent* entry) {
  return ends_with(entry->d_name, ".scl");
}

static void read_folder(struct catalogue* c, const char* name) {
  struct dirent** files = NULL;
  const int count = scandir(name, &files, is_catalogue, alphasort);
  for (int i = 0; i < count; ++i) {
    char* const file = text_format("%s/%s", name, files[i]->d_name);
    if (file != NULL) read_catalogue(c, file);
    free(file);
    free(files[i]);
  }
  free(files);
}

static void add_library(struct catalogue* c, const char* name) {
  char** const libraries = realloc(c->libraries, (c->library_count + 1) * sizeof *libraries);
  if (libraries == NULL) return;
  c->libraries = libraries;
  libraries[c->library_count] = sidl_String_strdup(name);
  if (libraries[c->library_count] != NULL) ++c->library_count;
}

/* Records why an element of a path cannot be used. */
static void problem_with_element(struct catalogue* c, const char* name, int reason) {
  const char* const hint =
      strchr(name, ':') == NULL ? "" : " (in a path that contains ';', ':' is not a separator)";
  char* const what = text_format("%s%s", strerror(reason), hint);
  problem(c, name, 0, what == NULL ? "no memory" : what);
  free(what);
}

void catalogue_read(struct catalogue* c, const char* element) {
  struct stat status;
  if (*element == '\0') return;
  if (ends_with(element, ".so") || ends_with(element, ".la") || strstr(element, ".so.") != NULL) {
    add_library(c, element);
  } else if (stat(element, &status) != 0) {
    problem_with_element(c, element, errno);
  } else if (S_ISDIR(status.st_mode)) {
    read_folder(c, element);
  } else {
    read_catalogue(c, element);
  }
}

void catalogue_free(struct catalogue* c) {
  for (size_t i = 0; i < c->count; ++i) library_entry_free(&c->entries[i]);
  for (size_t i = 0; i < c->library_count; ++i) free(c->libraries[i]);
  free(c->entries);
  free(c->libraries);
  text_free(&c->problems);
  *c = (struct catalogue){0};
}
