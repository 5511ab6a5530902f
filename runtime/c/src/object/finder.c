#include "object/finder.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/fork.h"
#include "base/text.h"
#include "object/catalogue.h"
#include "object/search_path.h"
#include "sidl_String.h"

struct finder {
  pthread_mutex_t lock;
  char* path;                 /* a search_path_copy; NULL: not read from the environment yet */
  struct catalogue catalogue; /* of path */
  bool is_read;
};

static struct finder standard = {.lock = PTHREAD_MUTEX_INITIALIZER};
FORK_GUARD(standard_at_fork, &standard.lock);

struct finder* finder_default(void) {
  return &standard;
}

struct finder* finder_create(void) {
  struct finder* const finder = calloc(1, sizeof *finder);
  if (finder != NULL) pthread_mutex_init(&finder->lock, NULL);
  return finder;
}

void finder_destroy(struct finder* finder) {
  if (finder == NULL || finder == finder_default()) return;
  catalogue_free(&finder->catalogue);
  pthread_mutex_destroy(&finder->lock);
  free(finder->path);
  free(finder);
}

/* libsidl's own folder, always the last part of the path. */
static char* own_folder(void) {
  Dl_info info;
  static const char here;
  if (dladdr(&here, &info) == 0 || info.dli_fname == NULL) return NULL;
  const char* const slash = strrchr(info.dli_fname, '/');
  char* const folder =
      slash == NULL ? NULL : sidl_String_strndup(info.dli_fname, (size_t)(slash - info.dli_fname));
  /* from a run path relative to another library's folder, unreadable in messages */
  const bool is_indirect = folder != NULL && strstr(folder, "/../") != NULL;
  char* const direct = is_indirect ? realpath(folder, NULL) : NULL;
  if (direct == NULL) return folder;
  free(folder);
  return direct;
}

/* Functions called *_locked require the lock. */
static bool path_locked(struct finder* finder) {
  if (finder->path == NULL) {
    const char* const path = getenv("SIDL_DLL_PATH");
    finder->path = search_path_copy(path == NULL ? "" : path);
  }
  return finder->path != NULL;
}

static void read_element(void* catalogue, const char* element) {
  catalogue_read(catalogue, element);
}

static void catalogue_locked(struct finder* finder) {
  if (finder->is_read || !path_locked(finder)) return;
  char* const folder = own_folder();
  catalogue_free(&finder->catalogue);
  search_path_visit(finder->path, read_element, &finder->catalogue);
  if (folder != NULL) catalogue_read(&finder->catalogue, folder);
  finder->is_read = true;
  free(folder);
}

char* finder_get_path(struct finder* finder) {
  pthread_mutex_lock(&finder->lock);
  char* const path = path_locked(finder) ? sidl_String_strdup(finder->path) : NULL;
  pthread_mutex_unlock(&finder->lock);
  return path;
}

bool finder_set_path(struct finder* finder, const char* path) {
  char* const copy = search_path_copy(path == NULL ? "" : path);
  if (copy == NULL) return false;
  pthread_mutex_lock(&finder->lock);
  free(finder->path);
  finder->path = copy;
  finder->is_read = false;
  pthread_mutex_unlock(&finder->lock);
  return true;
}

bool finder_add_path(struct finder* finder, const char* fragment) {
  if (fragment == NULL || *fragment == '\0') return true;
  pthread_mutex_lock(&finder->lock);
  char* const path = path_locked(finder) ? search_path_join(finder->path, fragment) : NULL;
  if (path != NULL) {
    free(finder->path);
    finder->path = path;
    finder->is_read = false;
  }
  pthread_mutex_unlock(&finder->lock);
  return path != NULL;
}

char* finder_report(struct finder* finder) {
  pthread_mutex_lock(&finder->lock);
  char* const folder = own_folder();
  const bool known = path_locked(finder);
  char* const report =
      text_format("%s%s%s%s%s%s", known && *finder->path != '\0' ? finder->path : "",
                  known && *finder->path != '\0' ? ";" : "", folder == NULL ? "" : folder,
                  finder->catalogue.problems.length > 0 ? " (problems: " : "",
                  finder->catalogue.problems.length > 0 ? finder->catalogue.problems.chars : "",
                  finder->catalogue.problems.length > 0 ? ")" : "");
  pthread_mutex_unlock(&finder->lock);
  free(folder);
  return report;
}

bool finder_lookup(struct finder* finder, const char* class_name, const char* description,
                   size_t number, struct library_entry* entry) {
  bool found = false;
  pthread_mutex_lock(&finder->lock);
  catalogue_locked(finder);
  for (size_t i = 0; i < finder->catalogue.count && !found; ++i) {
    const struct library_entry* const e = &finder->catalogue.entries[i];
    if (strcmp(e->class_name, class_name) != 0) continue;
    if (description != NULL && strcmp(e->description, description) != 0) continue;
    if (number-- != 0) continue;
    *entry = (struct library_entry){
        .class_name = sidl_String_strdup(e->class_name),
        .description = sidl_String_strdup(e->description),
        .uri = sidl_String_strdup(e->uri),
        .global = e->global,
        .lazy = e->lazy,
    };
    found = entry->class_name != NULL && entry->description != NULL && entry->uri != NULL;
    if (!found) {
      library_entry_free(entry);
      break;
    }
  }
  pthread_mutex_unlock(&finder->lock);
  return found;
}

void finder_each_class(struct finder* finder, void (*visit)(const char* class_name, void* data),
                       void* data) {
  pthread_mutex_lock(&finder->lock);
  catalogue_locked(finder);
  for (size_t i = 0; i < finder->catalogue.count; ++i) {
    visit(finder->catalogue.entries[i].class_name, data);
  }
  pthread_mutex_unlock(&finder->lock);
}

char* finder_library(struct finder* finder, size_t i) {
  pthread_mutex_lock(&finder->lock);
  catalogue_locked(finder);
  char* const name = i < finder->catalogue.library_count
                         ? sidl_String_strdup(finder->catalogue.libraries[i])
                         : NULL;
  pthread_mutex_unlock(&finder->lock);
  return name;
}
