/*
 * near_class.c: suggests a class for an unknown name, from those in this process and in the
 * catalogues.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "object/finder.h"
#include "object/type_registry.h"
#include "sidl_String.h"

/* Longer names are not compared: the cost is quadratic. */
enum { LONGEST = 100, TOO_FAR = 1000 };

struct search {
  const char* name;
  size_t least; /* distance of `best` */
  char* best;
};

/* Levenshtein distance, ignoring case. */
static size_t distance(const char* a, const char* b) {
  size_t row[LONGEST + 1];
  const size_t width = strlen(b);
  for (size_t j = 0; j <= width; ++j) row[j] = j;
  for (size_t i = 1; a[i - 1] != '\0'; ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= width; ++j) {
      const int same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      size_t least = diagonal + (same ? 0 : 1);
      diagonal = row[j];
      if (row[j] + 1 < least) least = row[j] + 1;
      if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
      row[j] = least;
    }
  }
  return row[width];
}

static const char* local_name(const char* name) {
  const char* const dot = strrchr(name, '.');
  return dot == NULL ? name : dot + 1;
}

/* Allows one error in a short name, two in a longer one; or the right name in another package. */
static size_t how_far(const char* name, const char* candidate) {
  const size_t length = strlen(name);
  const size_t most = length < 6 ? 1 : 2;
  if (length == 0 || length > LONGEST || strlen(candidate) > LONGEST) return TOO_FAR;
  const size_t far = distance(name, candidate);
  if (far <= most) return far;
  return strcasecmp(local_name(name), local_name(candidate)) == 0 ? LONGEST + far : TOO_FAR;
}

/* Of equally near ones takes the alphabetically first, independent of search order. */
static void consider(struct search* search, const char* candidate) {
  const size_t far = how_far(search->name, candidate);
  const bool nearer = far < search->least || (far == search->least && search->best != NULL &&
                                              strcmp(candidate, search->best) < 0);
  if (far >= TOO_FAR || !nearer) return;
  free(search->best);
  search->best = sidl_String_strdup(candidate);
  search->least = far;
}

static void consider_type(const struct sidl_type_info* type, void* search) {
  if (type->kind == sidl_kind_class) consider(search, type->name);
}

static void consider_entry(const char* class_name, void* search) {
  consider(search, class_name);
}

char* sidl_class_near(const char* name) {
  struct search search = {name == NULL ? "" : name, TOO_FAR, NULL};
  finder_each_class(finder_default(), consider_entry, &search);
  type_registry_each(consider_type, &search);
  return search.best;
}
