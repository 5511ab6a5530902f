/*
 * unloadable.c: explains why a library cannot be loaded if the dynamic linker reports a missing
 * symbol with a layout in its name: the types' tables come from another library, in another
 * version. Usually the cause is that a process loads only one library of a name, the first one
 * requested.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "object/library.h"
#include "object/type_registry.h"
#include "sidl_String.h"

/* ---- files in ELF -----------------------------------------------------------------------------
 */

struct image {
  const char* bytes;
  size_t size;
};

static struct image map_file(const char* path) {
  struct image image = {NULL, 0};
  struct stat facts;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return image;
  if (fstat(file, &facts) == 0 && facts.st_size > (off_t)sizeof(ElfW(Ehdr))) {
    void* const bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) image = (struct image){bytes, (size_t)facts.st_size};
  }
  close(file);
  return image;
}

/* Checks that `size` bytes are within the file; NULL if not. */
static const void* part(const struct image* image, uint64_t offset, uint64_t size) {
  const bool is_inside = offset <= image->size && size <= image->size - offset;
  return is_inside ? image->bytes + offset : NULL;
}

static const ElfW(Phdr) * segment(const struct image* image, size_t index) {
  const ElfW(Ehdr)* const header = part(image, 0, sizeof *header);
  const ElfW(Phdr)* const none = NULL;
  if (header == NULL || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return none;
  if (header->e_phentsize != sizeof *none || index >= header->e_phnum) return none;
  return part(image, header->e_phoff + index * sizeof *none, sizeof *none);
}

/* File offset of an address of the loaded library; an offset beyond the end if there is none. */
static uint64_t offset_of(const struct image* image, uint64_t address) {
  const ElfW(Phdr)* each = NULL;
  for (size_t i = 0; (each = segment(image, i)) != NULL; ++i) {
    if (each->p_type != PT_LOAD || address < each->p_vaddr) continue;
    if (address - each->p_vaddr < each->p_filesz) return address - each->p_vaddr + each->p_offset;
  }
  return UINT64_MAX;
}

/* The nth entry of its dynamic section, or NULL at the end. */
static const ElfW(Dyn) * dynamic_entry(const struct image* image, size_t index) {
  const ElfW(Phdr)* each = NULL;
  for (size_t i = 0; (each = segment(image, i)) != NULL; ++i) {
    if (each->p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn)* const found =
        part(image, each->p_offset + index * sizeof *found, sizeof *found);
    return found == NULL || found->d_tag == DT_NULL ? NULL : found;
  }
  return NULL;
}

/* The text of the nth entry that has this tag, or NULL. */
static const char* dynamic_text(const struct image* image, int64_t tag, size_t nth) {
  uint64_t texts = UINT64_MAX;
  uint64_t at = UINT64_MAX;
  const ElfW(Dyn)* each = NULL;
  for (size_t i = 0; (each = dynamic_entry(image, i)) != NULL; ++i) {
    if (each->d_tag == DT_STRTAB) texts = offset_of(image, each->d_un.d_ptr);
    if (each->d_tag == tag && nth-- == 0) at = each->d_un.d_val;
  }
  if (texts >= image->size || at >= image->size - texts) return NULL;
  const char* const text = image->bytes + texts + at;
  return memchr(text, '\0', image->size - texts - at) == NULL ? NULL : text;
}

/* ---- the library that was meant, and the one that is there --------------------------------------
 */

struct clash {
  const char* name; /* both have it */
  char there[PATH_MAX];
  char meant[PATH_MAX];
};

static int is_loaded(struct dl_phdr_info* info, size_t size, void* data) {
  (void)size;
  struct clash* const clash = data;
  const char* const slash = strrchr(info->dlpi_name, '/');
  if (slash == NULL || strcmp(slash + 1, clash->name) != 0) return 0;
  return realpath(info->dlpi_name, clash->there) != NULL;
}

/* Looks for the file in the folder, which may begin with $ORIGIN, the folder of `library`. */
static bool is_in_folder(struct clash* clash, const char* folder, size_t length,
                         const char* library) {
  static const char* const origins[] = {"$ORIGIN", "${ORIGIN}"};
  char path[PATH_MAX];
  const char* const slash = strrchr(library, '/');
  const int stem = slash == NULL ? 0 : (int)(slash - library);
  const char* before = "";
  int before_length = 0;
  for (size_t i = 0; i < 2; ++i) {
    const size_t origin = strlen(origins[i]);
    if (length < origin || strncmp(folder, origins[i], origin) != 0) continue;
    before = stem == 0 ? "." : library;
    before_length = stem == 0 ? 1 : stem;
    folder += origin;
    length -= origin;
  }
  const int written = snprintf(path, sizeof path, "%.*s%.*s/%s", before_length, before, (int)length,
                               folder, clash->name);
  return written > 0 && (size_t)written < sizeof path && realpath(path, clash->meant) != NULL;
}

static bool is_on_path(struct clash* clash, const char* folders, const char* library) {
  while (folders != NULL && *folders != '\0') {
    const size_t length = strcspn(folders, ":");
    if (is_in_folder(clash, folders, length, library)) return true;
    folders += length + (folders[length] == ':' ? 1 : 0);
  }
  return false;
}

/* Finds a library that `library` needs, where another one of that name is loaded. */
static bool find_clash(const struct image* image, const char* library, struct clash* clash) {
  const char* folders = dynamic_text(image, DT_RUNPATH, 0);
  if (folders == NULL) folders = dynamic_text(image, DT_RPATH, 0);
  for (size_t i = 0; (clash->name = dynamic_text(image, DT_NEEDED, i)) != NULL; ++i) {
    if (strncmp(clash->name, "libsidl.", strlen("libsidl.")) == 0) continue;
    if (!is_on_path(clash, folders, library)) continue;
    if (dl_iterate_phdr(is_loaded, clash) != 0 && strcmp(clash->there, clash->meant) != 0) {
      return true;
    }
  }
  return false;
}

/* ---- the package --------------------------------------------------------------------------------
 */

struct owner {
  const char* symbol; /* "demo_sub_Type__info_v…" */
  const struct sidl_type_info* type;
  size_t length; /* of its package's name */
};

static void consider_type(const struct sidl_type_info* type, void* data) {
  struct owner* const owner = data;
  const char* const dot = strrchr(type->name, '.');
  const size_t length = dot == NULL ? 0 : (size_t)(dot - type->name);
  if (length <= owner->length || strlen(owner->symbol) <= length) return;
  for (size_t i = 0; i <= length; ++i) {
    const char c = type->name[i] == '.' ? '_' : type->name[i];
    if (c != owner->symbol[i]) return;
  }
  owner->type = type;
  owner->length = length;
}

/* True if it contains "__" and ends with "_v" and sixteen digits. */
static bool has_layout(const char* symbol, size_t length) {
  enum { DIGITS = 16 };
  if (length < DIGITS + 2 || strstr(symbol, "__") == NULL) return false;
  const char* const digits = symbol + length - DIGITS;
  return strspn(digits, "0123456789abcdef") >= DIGITS && strncmp(digits - 2, "_v", 2) == 0;
}

static void say_version(struct text* text, const char* symbol) {
  struct owner owner = {.symbol = symbol};
  type_registry_each(consider_type, &owner);
  if (owner.type == NULL) return;
  char* const file = library_holding(owner.type->cache);
  text_append_format(text, "; package %.*s is here in version %s, of %s", (int)owner.length,
                     owner.type->name, owner.type->version, file == NULL ? "the program" : file);
  free(file);
}

static const char advice[] =
    ". Generate and compile all of them from the same SIDL files, give different libraries "
    "different names (OUTPUT_NAME in CMake), or run one of them in its own process (sidl serve)";

/* Explains why `library` lacks the symbol. */
static void say_why(struct text* text, const char* library, const char* symbol) {
  struct clash clash = {.name = NULL};
  const struct image image = map_file(library);
  if (find_clash(&image, library, &clash)) {
    text_append_format(
        text,
        ". It was linked with %s, but this process has loaded %s instead: the dynamic "
        "linker loads only the first library of a given name",
        clash.meant, clash.there);
  } else {
    text_append_string(
        text,
        ". It was compiled for a different version of these types than the libraries "
        "it is linked with");
  }
  if (image.bytes != NULL) munmap((void*)(uintptr_t)image.bytes, image.size);
  say_version(text, symbol);
  text_append_string(text, advice);
}

char* sidl_explain_unloadable(const char* reason) {
  static const char mark[] = ": undefined symbol: ";
  struct text text = {NULL, 0, 0};
  const char* const at = strstr(reason, mark);
  const char* const symbol = at == NULL ? reason : at + strlen(mark);
  text_append_string(&text, reason);
  if (at == NULL || !has_layout(symbol, strcspn(symbol, ",; \n"))) return text.chars;
  char* const library = text_format("%.*s", (int)(at - reason), reason);
  if (library != NULL) say_why(&text, library, symbol);
  free(library);
  return text.chars;
}
