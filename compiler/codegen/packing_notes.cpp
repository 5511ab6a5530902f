#include "codegen/packing_notes.hpp"

namespace shinar::codegen {
namespace {

struct Notes {
  const char* method;
  const char* argument;
  const char* lines[2];
};

constexpr Notes kNotes[2] = {
    {"packObj",
     "sidl.io.Serializer",
     {"Pack what the object consists of, each value under a key: packInt, packString, ...",
      "If the parent class packs something, call its packObj first."}},
    {"unpackObj",
     "sidl.io.Deserializer",
     {"Unpack what packObj packed, by the same keys, into an object that is new.",
      "If the parent class unpacks something, call its unpackObj first."}},
};

constexpr Notes kInheritedNotes[2] = {
    {"packObj",
     "sidl.io.Serializer",
     {"Data of this class arrive in other processes if they are packed here, behind the parent's,",
      "each value under a key: packInt, packString, ..."}},
    {"unpackObj",
     "sidl.io.Deserializer",
     {"Unpack what packObj packed, behind the parent's part and by the same keys: the exception is",
      "new, as _ctor has left it."}},
};

std::vector<std::string> notes_of(const Notes (&all)[2], const ir::Method& method,
                                  CommentStyle style) {
  std::vector<std::string> result;
  for (const Notes& notes : all) {
    const bool is_it = method.long_name() == notes.method && method.arguments_size() == 1 &&
                       method.arguments(0).type().name() == notes.argument;
    if (!is_it) continue;
    for (const char* line : notes.lines) result.push_back(comment_line(line, style));
  }
  return result;
}

}  // namespace

std::vector<std::string> packing_notes(const ir::Method& method, CommentStyle style) {
  return notes_of(kNotes, method, style);
}

std::vector<std::string> packing_notes(const PlannedMethod& planned, CommentStyle style) {
  return notes_of(planned.passes_on ? kInheritedNotes : kNotes, *planned.method, style);
}

}  // namespace shinar::codegen
