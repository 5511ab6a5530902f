#include <nlohmann/json.hpp>

#include "diagnostics/render.hpp"
#include "diagnostics/utf8.hpp"

namespace shinar {
namespace {

using Json = nlohmann::ordered_json;

void put_place(Json& object, const Sources& sources, const Span& span) {
  const Source& source = sources[span.file];
  const Position begin = source.position(span.begin);
  const Position end = source.position(span.end);
  object["file"] = source.name();
  object["line"] = begin.line;
  object["column"] = begin.column;
  object["end_line"] = end.line;
  object["end_column"] = end.column;
}

Json to_json(const Diagnostic& diagnostic, const Sources& sources) {
  Json object;
  object["severity"] = severity_text(diagnostic.severity());
  object["code"] = code_text(diagnostic.code);
  object["message"] = diagnostic.message;
  for (const auto& [key, value] : diagnostic.facts) object[key] = value;
  if (diagnostic.span) put_place(object, sources, *diagnostic.span);
  object["notes"] = Json::array();
  for (const Note& note : diagnostic.notes) {
    Json entry;
    entry["message"] = note.message;
    if (note.span) put_place(entry, sources, *note.span);
    object["notes"].push_back(std::move(entry));
  }
  if (diagnostic.fix) {
    Json fix;
    fix["replacement"] = diagnostic.fix->replacement;
    put_place(fix, sources, diagnostic.fix->span);
    object["fix"] = std::move(fix);
  }
  return object;
}

}  // namespace

std::string render_json(const Diagnostics& diagnostics, const Sources& sources, std::size_t limit) {
  Json list = Json::array();
  std::size_t errors = 0;
  for (const Diagnostic* diagnostic : diagnostics.sorted()) {
    if (diagnostic->severity() == Severity::Error && ++errors > limit) continue;
    list.push_back(to_json(*diagnostic, sources));
  }
  // Messages quote the input, which may not be UTF-8.
  return printable_json(list.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace shinar
