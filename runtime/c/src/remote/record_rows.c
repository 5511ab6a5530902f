#include "remote/record_rows.h"

#include <stdlib.h>
#include <string.h>

#include "array/value.h"
#include "remote/short_text.h"
#include "remote/spare.h"
#include "remote/struct_walk.h"
#include "sidl_header.h"

/* Elements at a time: what is read of them several times stays in the nearest cache. */
enum { SOME = 128 };

/* Where texts begin after so many codes. */
static size_t begin_of_texts(size_t codes) {
  return codes | 1;
}

/* ---- the layout ---------------------------------------------------------------------------------
 */

static size_t count_members(const struct sidl_struct_info* info) {
  size_t count = 0;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    count += type->kind == sidl_kind_struct ? count_members(type->structure) : 1;
  }
  return count;
}

static void add_number(struct row_layout* layout, const struct sidl_type_ref* type, size_t offset) {
  const bool is_bool = type->kind == sidl_kind_bool;
  const size_t size = is_bool ? 1 : value_size(type);
  struct row_piece* const last = layout->pieces > 0 ? &layout->piece[layout->pieces - 1] : NULL;
  if (!is_bool && last != NULL && !last->is_bool && last->offset + last->size == offset) {
    last->size += size;
  } else {
    layout->piece[layout->pieces++] = (struct row_piece){offset, layout->size, size, is_bool};
  }
  layout->size += size;
}

static void add_numbers(struct row_layout* layout, const struct sidl_struct_info* info,
                        size_t offset) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind == sidl_kind_struct) {
      add_numbers(layout, member->type.structure, offset + member->offset);
    } else if (member->type.kind == sidl_kind_string) {
      ++layout->texts;
    } else if ((OWNING_KINDS & SIDL_KIND_BIT(member->type.kind)) == 0) {
      add_number(layout, &member->type, offset + member->offset);
    } else {
      ++layout->others;
    }
  }
}

static size_t* add_texts(size_t* to, const struct sidl_struct_info* info, size_t offset) {
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_member_info* const member = &info->members[i];
    if (member->type.kind == sidl_kind_struct) {
      to = add_texts(to, member->type.structure, offset + member->offset);
    } else if (member->type.kind == sidl_kind_string) {
      *to++ = offset + member->offset;
    }
  }
  return to;
}

static size_t* texts_of(const struct row_layout* layout) {
  return (size_t*)(void*)(layout->piece + layout->pieces);
}

struct row_layout* row_layout_of(const struct sidl_struct_info* structure) {
  const size_t members = count_members(structure);
  struct row_layout* const layout = malloc(sizeof *layout + members * sizeof(struct row_piece));
  if (layout == NULL) return NULL;
  *layout = (struct row_layout){0};
  add_numbers(layout, structure, 0);
  add_texts(texts_of(layout), structure, 0);
  return layout;
}

/* ---- numbers ------------------------------------------------------------------------------------
 */

/* Copies `count` pieces of a size that the compiler knows, if it is a common one. */
static void copy_pieces(char* to, ptrdiff_t to_step, const char* from, ptrdiff_t from_step,
                        size_t size, size_t count) {
#define COPY_EACH(known)                                                                       \
  _Pragma("GCC unroll 4") for (size_t i = 0; i < count; ++i, from += from_step, to += to_step) \
      memcpy(to, from, known);
#define COPY_CASE(known) \
  case known:            \
    COPY_EACH(known)     \
    break;
  switch (size) {
    COPY_CASE(1)
    COPY_CASE(4)
    COPY_CASE(8)
    COPY_CASE(12)
    COPY_CASE(16)
    COPY_CASE(20)
    COPY_CASE(24)
    COPY_CASE(28)
    COPY_CASE(32)
    COPY_CASE(40)
    COPY_CASE(48)
    COPY_CASE(56)
    COPY_CASE(64)
    default:
      COPY_EACH(size)
  }
#undef COPY_CASE
#undef COPY_EACH
}

static void pack_numbers(const struct row_layout* layout, const struct struct_run* run, char* row) {
  for (size_t p = 0; p < layout->pieces; ++p) {
    const struct row_piece* const piece = &layout->piece[p];
    const char* from = run->first + piece->offset;
    char* to = row + piece->place;
    if (!piece->is_bool) {
      copy_pieces(to, (ptrdiff_t)layout->size, from, run->step, piece->size, run->count);
      continue;
    }
    for (size_t i = 0; i < run->count; ++i, from += run->step, to += layout->size) {
      *to = *(const sidl_bool*)(const void*)from != 0; /* any number that is not zero is true */
    }
  }
}

static void unpack_numbers(const struct row_layout* layout, const char* row,
                           const struct struct_run* run) {
  for (size_t p = 0; p < layout->pieces; ++p) {
    const struct row_piece* const piece = &layout->piece[p];
    const char* from = row + piece->place;
    char* to = run->first + piece->offset;
    if (!piece->is_bool) {
      copy_pieces(to, run->step, from, (ptrdiff_t)layout->size, piece->size, run->count);
      continue;
    }
    for (size_t i = 0; i < run->count; ++i, from += layout->size, to += run->step) {
      *(sidl_bool*)(void*)to = *from;
    }
  }
}

/* ---- texts, packed ------------------------------------------------------------------------------
 */

/* Codes, and texts after them, in memory that grows with the texts. */
struct text_buffer {
  char* first;
  size_t codes; /* in all */
  size_t coded;
  size_t used;
};

/* A first guess at the length of texts: more than what most take up. */
enum { USUAL = 16 };

/* Makes room for so many texts. */
static bool has_room(struct text_buffer* buffer, size_t texts) {
  const size_t wanted = buffer->used + (texts + 1) * TEXT_ROOM;
  const size_t capacity = buffer->first == NULL ? 0 : spare_capacity(buffer->first);
  if (wanted <= capacity) return true;
  const size_t guess = capacity == 0 ? buffer->codes * (USUAL + 1) : 2 * capacity;
  char* const more = spare_take(guess < wanted ? wanted : guess);
  if (more == NULL) return false;
  more[begin_of_texts(buffer->codes) - 1] = '\0'; /* unless it is to be a code */
  if (buffer->first != NULL) memcpy(more, buffer->first, buffer->used);
  spare_give(buffer->first);
  buffer->first = more;
  return true;
}

/* `texts`: those of the layout; a constant where there is one, as there mostly is. */
static inline void pack_texts_of(const size_t* offsets, size_t texts, const struct struct_run* run,
                                 struct text_buffer* buffer, size_t* apart) {
  const char* element = run->first;
  char* code = buffer->first + buffer->coded;
  char* next = buffer->first + buffer->used;
  size_t found_apart = 0;
  for (size_t left = run->count; left > 0; --left, element += run->step) {
    for (size_t t = 0; t < texts; ++t) {
      const uint8_t found = text_put(next, *(char* const*)(const void*)(element + offsets[t]));
      *code++ = (char)found;
      next += text_space(found);
      found_apart += found == TEXT_APART;
    }
  }
  *apart += found_apart;
  buffer->coded += run->count * texts;
  buffer->used = (size_t)(next - buffer->first);
}

static void pack_texts(const struct row_layout* layout, const struct struct_run* run,
                       struct text_buffer* buffer, size_t* apart) {
  const size_t* const offsets = texts_of(layout);
  if (layout->texts == 1) {
    const size_t offset = offsets[0];
    pack_texts_of(&offset, 1, run, buffer, apart);
  } else {
    pack_texts_of(offsets, layout->texts, run, buffer, apart);
  }
}

/* An array over a block, which it takes over; NULL if memory is exhausted. */
static struct sidl__array* array_over(char* block, size_t bytes) {
  const int64_t lower = 0;
  const int64_t upper = (int64_t)bytes - 1;
  const int64_t stride = 1;
  struct sidl_char__array* const array =
      block == NULL
          ? NULL
          : sidl_char__array_borrow_owned(block, 1, &lower, &upper, &stride, spare_give, block);
  if (array == NULL) spare_give(block);
  return (struct sidl__array*)array;
}

static bool pack_all(const struct row_layout* layout, struct sidl__array* array,
                     struct packed_rows* to, struct text_buffer* buffer) {
  char* row = layout->size > 0 ? sidl__array_first(to->rows) : NULL;
  struct struct_walk walk = struct_walk_begin(array);
  for (struct struct_run run; (run = struct_walk_next(&walk, SOME)).count > 0;) {
    if (layout->size > 0) {
      pack_numbers(layout, &run, row);
      row += run.count * layout->size;
    }
    if (layout->texts > 0) {
      if (!has_room(buffer, run.count * layout->texts)) return false;
      pack_texts(layout, &run, buffer, &to->apart);
    }
  }
  return true;
}

bool rows_pack(const struct row_layout* layout, struct sidl__array* array, struct packed_rows* to) {
  /* neither is more than the structs are */
  const size_t count = sidl__array_element_count(array);
  const size_t codes = count * layout->texts;
  struct text_buffer buffer = {NULL, codes, 0, begin_of_texts(codes)};
  *to = (struct packed_rows){NULL, NULL, 0};
  if (layout->size > 0) {
    const size_t bytes = count * layout->size;
    to->rows = array_over(spare_take(bytes), bytes);
    if (to->rows == NULL) return false;
  }
  if (!pack_all(layout, array, to, &buffer)) {
    spare_give(buffer.first);
  } else if (layout->texts == 0 || (to->texts = array_over(buffer.first, buffer.used)) != NULL) {
    return true;
  }
  rows_drop(to);
  return false;
}

static size_t size_of_members(const struct sidl_struct_info* info) {
  size_t size = 0;
  for (int32_t i = 0; i < info->member_count; ++i) {
    const struct sidl_type_ref* const type = &info->members[i].type;
    size += type->kind == sidl_kind_struct ? size_of_members(type->structure) : value_size(type);
  }
  return size;
}

bool struct_has_gaps(const struct sidl_struct_info* structure) {
  return size_of_members(structure) < structure->size;
}

struct sidl__array* struct_images(const struct sidl_struct_info* structure,
                                  struct sidl__array* array) {
  const size_t bytes = sidl__array_element_count(array) * structure->size;
  struct row_layout* const layout = row_layout_of(structure);
  struct sidl__array* const images = array_over(spare_take(bytes), bytes);
  if (layout == NULL || images == NULL) {
    free(layout);
    sidl__array_deleteRef(images);
    return NULL;
  }
  for (size_t p = 0; p < layout->pieces; ++p) {
    struct row_piece* const piece = &layout->piece[p];
    piece->place = piece->offset;
    if (piece->is_bool) piece->size = sizeof(sidl_bool);
    piece->is_bool = false;
  }
  layout->size = structure->size;
  struct packed_rows to = {images, NULL, 0};
  memset(sidl__array_first(images), 0, bytes);
  pack_all(layout, array, &to, NULL);
  free(layout);
  return images;
}

void rows_drop(struct packed_rows* packed) {
  sidl__array_deleteRef(packed->rows);
  sidl__array_deleteRef(packed->texts);
}

/* ---- what has been received ---------------------------------------------------------------------
 */

static bool are_bools(const char* byte, size_t step, int64_t count) {
  unsigned char all = 0;
  for (int64_t i = 0; i < count; ++i, byte += step) all |= (unsigned char)*byte;
  return all <= 1;
}

/* In runs of a constant length, which gcc vectorises; their sum fits into 16 bits. */
static size_t space_of_all(const char* code, size_t count) {
  enum { RUN = 128 };
  size_t sum = 0;
  for (; count >= RUN; count -= RUN, code += RUN) {
    uint16_t part = 0;
    for (size_t i = 0; i < RUN; ++i) {
      part = (uint16_t)(part + ((uint8_t)((uint8_t)code[i] + 2) & 0xFE));
    }
    sum += part;
  }
  for (size_t i = 0; i < count; ++i) sum += text_space((uint8_t)code[i]);
  return sum;
}

static bool numbers_fit(const struct row_layout* layout, struct sidl__array* rows, int64_t count) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(count, (int64_t)layout->size, &bytes)) return false;
  if (sidl__array_element_count(rows) != (size_t)bytes) return false;
  const char* const row = sidl__array_first(rows);
  for (size_t p = 0; p < layout->pieces; ++p) {
    const struct row_piece* const piece = &layout->piece[p];
    if (piece->is_bool && !are_bools(row + piece->place, layout->size, count)) return false;
  }
  return true;
}

static bool texts_fit(const struct row_layout* layout, struct sidl__array* texts, int64_t count) {
  int64_t codes = 0;
  if (__builtin_mul_overflow(count, (int64_t)layout->texts, &codes)) return false;
  const size_t bytes = sidl__array_element_count(texts);
  const size_t begin = begin_of_texts((size_t)codes);
  return bytes >= begin && bytes - begin == space_of_all(sidl__array_first(texts), (size_t)codes);
}

bool rows_fit(const struct row_layout* layout, const struct packed_rows* packed, int64_t count) {
  return (layout->size == 0 || numbers_fit(layout, packed->rows, count)) &&
         (layout->texts == 0 || texts_fit(layout, packed->texts, count));
}

/* Codes and texts, as far as they have been read. */
struct text_reader {
  const char* code;
  char* text;
  size_t apart;
  char ends; /* 0 if all up to here are ended by zeros up to where the next one begins */
};

/* `texts`: as in pack_texts_of. */
static inline void unpack_texts_of(const size_t* offsets, size_t texts, struct text_reader* from,
                                   const struct struct_run* run) {
  char* element = run->first;
  struct text_reader at = *from;
  for (size_t left = run->count; left > 0; --left, element += run->step) {
    for (size_t t = 0; t < texts; ++t) {
      const uint8_t code = (uint8_t)*at.code++;
      char** const to = (char**)(void*)(element + offsets[t]);
      if (code > TEXT_LONGEST) {
        *to = NULL;
        at.apart += code == TEXT_APART;
        continue;
      }
      *to = at.text;
      at.ends |= at.text[code];
      at.text += text_space(code);
      at.ends |= at.text[-1]; /* the other one, if there is one */
    }
  }
  *from = at;
}

static void unpack_texts(const struct row_layout* layout, struct text_reader* from,
                         const struct struct_run* run) {
  const size_t* const offsets = texts_of(layout);
  if (layout->texts == 1) {
    const size_t offset = offsets[0];
    unpack_texts_of(&offset, 1, from, run);
  } else {
    unpack_texts_of(offsets, layout->texts, from, run);
  }
}

bool rows_unpack(const struct row_layout* layout, struct packed_rows* from,
                 struct sidl__array* array) {
  const char* row = layout->size > 0 ? sidl__array_first(from->rows) : NULL;
  struct text_reader texts = {NULL, NULL, 0, 0};
  struct struct_walk walk = struct_walk_begin(array);
  if (layout->texts > 0) {
    char* const first = sidl__array_first(from->texts);
    texts.code = first;
    const size_t codes = walk.left * layout->texts;
    texts.text = first + begin_of_texts(codes);
    if (begin_of_texts(codes) > codes) texts.ends = first[codes];
  }
  for (struct struct_run run; (run = struct_walk_next(&walk, SOME)).count > 0;) {
    if (layout->size > 0) {
      unpack_numbers(layout, row, &run);
      row += run.count * layout->size;
    }
    unpack_texts(layout, &texts, &run);
  }
  from->apart = texts.apart;
  return texts.ends == 0;
}

bool rows_each_apart(const struct row_layout* layout, const struct packed_rows* packed,
                     struct sidl__array* array,
                     bool (*handle)(void* context, char** text,
                                    struct sidl_BaseInterface__object** _ex),
                     void* context, struct sidl_BaseInterface__object** _ex) {
  if (packed->apart == 0) return true;
  const size_t* const offsets = texts_of(layout);
  const char* code = sidl__array_first(packed->texts);
  struct struct_walk walk = struct_walk_begin(array);
  for (struct struct_run run; (run = struct_walk_next(&walk, 1)).count > 0;) {
    for (size_t t = 0; t < layout->texts; ++t) {
      if ((uint8_t)*code++ != TEXT_APART) continue;
      if (!handle(context, (char**)(void*)(run.first + offsets[t]), _ex)) return false;
    }
  }
  return true;
}
