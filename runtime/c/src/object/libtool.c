#include "object/libtool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { longest_name = 256 };

/* Reads the value of dlname; false if there is none. */
static int read_name(const char* archive, char name[longest_name]) {
  FILE* const file = fopen(archive, "re");
  char line[longest_name + 16];
  int found = 0;
  if (file == NULL) return 0;
  while (!found && fgets(line, sizeof line, file) != NULL) {
    found = sscanf(line, "dlname='%255[^'\n]'", name) == 1;
  }
  fclose(file);
  return found && strchr(name, '/') == NULL;
}

char* libtool_library(const char* archive) {
  const char* const slash = strrchr(archive, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - archive) + 1;
  char name[longest_name];
  if (!read_name(archive, name)) {
    return text_format("%.*s.so", (int)strlen(archive) - 3, archive);
  }
  char* const installed = text_format("%.*s%s", folder, archive, name);
  if (installed == NULL || access(installed, F_OK) == 0) return installed;
  char* const built = text_format("%.*s.libs/%s", folder, archive, name);
  if (built != NULL && access(built, F_OK) == 0) {
    free(installed);
    return built;
  }
  free(built);
  return installed;
}
