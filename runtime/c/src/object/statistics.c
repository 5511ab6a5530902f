#include "object/statistics.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "object/throw.h"
#include "sidl_io_IOException_IOR.h"

static const char* const DEFAULT_FILE = "ContractStats.out";

static bool write_section(FILE* file, const char* prefix, const char* title) {
  if (title == NULL) return true;
  if (fseek(file, 0, SEEK_END) != 0) return false;
  if (ftell(file) == 0 &&
      fputs("# contract statistics 1\n# class;method;calls;checks;violations;microseconds\n",
            file) < 0) {
    return false;
  }
  return fprintf(file, "# %s%s%s\n", prefix, *prefix == '\0' ? "" : ": ", title) >= 0;
}

bool statistics_append(const char* filename, const char* prefix, const char* title,
                       struct sidl_BaseInterface__object** _ex) {
  *_ex = NULL;
  if (filename == NULL || *filename == '\0') filename = DEFAULT_FILE;
  FILE* const file = fopen(filename, "ae");
  bool ok = file != NULL && write_section(file, prefix == NULL ? "" : prefix, title);
  const int error = errno;
  if (file != NULL && fclose(file) != 0) ok = false;
  if (!ok) {
    THROW(_ex, sidl_io_IOException, "cannot append contract statistics to \"%s\": %s", filename,
          strerror(file == NULL || error != 0 ? error : EIO));
  }
  return ok;
}
