#include "object/search_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sidl_String.h"

char* search_path_copy(const char* text) {
  char* const copy = sidl_String_strdup(text);
  if (copy == NULL || strchr(copy, ';') != NULL) return copy;
  const char* element = copy;
  for (char* at = copy; *at != '\0'; ++at) {
    const char* const file = "file";
    const size_t length = (size_t)(at - element);
    if (*at != ':' || (length == strlen(file) && strncmp(element, file, length) == 0)) continue;
    *at = ';';
    element = at + 1;
  }
  return copy;
}

char* search_path_join(const char* path, const char* fragment) {
  char* const first = search_path_copy(path);
  char* const second = search_path_copy(fragment);
  char* joined = NULL;
  if (first != NULL && second != NULL) {
    const char* const separator = *first == '\0' || *second == '\0' ? "" : ";";
    joined = text_format("%s%s%s", first, separator, second);
  }
  free(first);
  free(second);
  return joined;
}

bool search_path_visit(const char* path, void (*visit)(void* context, const char* element),
                       void* context) {
  char* const copy = sidl_String_strdup(path);
  if (copy == NULL) return false;
  for (char* at = copy; at != NULL;) {
    char* const end = strchr(at, ';');
    if (end != NULL) *end = '\0';
    visit(context, at);
    at = end == NULL ? NULL : end + 1;
  }
  free(copy);
  return true;
}
