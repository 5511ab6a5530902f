#include "backends/sidl/emit.hpp"

#include <algorithm>

#include "backends/sidl/words.hpp"
#include "codegen/printer.hpp"
#include "ir/text.hpp"

namespace shinar::backends::sidl {
namespace {

constexpr std::size_t kWidth = 100;
constexpr int kStep = 2;

class Emitter {
 public:
  explicit Emitter(const Spelling& spelling) : spelling_(spelling) {}

  std::string file(const FileModel& file);

 private:
  void package(const PackageModel& model);
  void type(const ir::Type& type);
  void enumeration(const ir::Type& type);
  void structure(const ir::Type& type);
  void object(const ir::Type& type);
  void method(const ir::Method& method, bool in_class);
  void clause(const std::string& keyword, const std::vector<std::string>& assertions);
  void doc(const std::string& text);

  // "head tail1 tail2" if it fits, else each tail on a line of its own, `deeper` to the right.
  void line(const std::string& head, const std::vector<std::string>& tails, const std::string& end,
            int deeper);
  void line(const std::string& text) { printer_.line(text); }
  void indent(int columns = kStep);
  void outdent(int columns = kStep) { indent(-columns); }

  std::string name(const std::string& absolute) const { return spelling_(absolute, package_); }
  std::string names(const google::protobuf::RepeatedPtrField<std::string>& list) const;
  ir::NameOf name_of() const {
    return [this](const std::string& absolute) { return name(absolute); };
  }
  std::vector<std::string> parents(const ir::Object& object) const;
  std::string arguments(const ir::Method& method) const;

  const Spelling& spelling_;
  codegen::Printer printer_;
  std::size_t indent_ = 0;
  std::string_view package_;  // the one that is being printed
};

void Emitter::indent(int columns) {
  printer_.indent(columns);
  indent_ += static_cast<std::size_t>(columns);
}

void Emitter::line(const std::string& head, const std::vector<std::string>& tails,
                   const std::string& end, int deeper) {
  std::string all = head;
  for (const std::string& tail : tails) all += " " + tail;
  if (tails.empty() || indent_ + all.size() + end.size() <= kWidth) return line(all + end);
  line(head);
  indent(deeper);
  for (std::size_t i = 0; i < tails.size(); ++i) line(tails[i] + (i + 1 < tails.size() ? "" : end));
  outdent(deeper);
}

void Emitter::doc(const std::string& text) {
  if (text.empty()) return;
  const std::string safe = ir::comment_text(text);
  const bool fits = indent_ + safe.size() + 7 <= kWidth;
  if (fits && safe.find('\n') == std::string::npos) return line("/** " + safe + " */");
  line("/**");
  for (std::size_t at = 0; at <= safe.size();) {
    const std::size_t end = std::min(safe.find('\n', at), safe.size());
    line(end == at ? " *" : " * " + safe.substr(at, end - at));
    at = end + 1;
  }
  line(" */");
}

std::string Emitter::file(const FileModel& file) {
  for (const ir::Package* package : file.requires_) {
    line("require " + package->name() + " version " + package->version() + ";");
  }
  for (const auto& item : file.packages) {
    printer_.blank_line();
    package(*item);
  }
  return printer_.take();
}

void Emitter::package(const PackageModel& model) {
  doc(model.package->doc());
  const std::string version = model.version.empty() ? "" : " version " + model.version;
  line(attribute_words(model.package->attributes()) + (model.package->final() ? "final " : "") +
       "package " + model.name + version + " {");
  indent();
  for (const PackageModel::Item& item : model.items) {
    printer_.blank_line();
    package_ = model.package->name();
    if (const auto* own = std::get_if<const ir::Type*>(&item)) {
      type(**own);
    } else {
      package(*std::get<std::unique_ptr<PackageModel>>(item));
    }
  }
  outdent();
  line("}");
}

void Emitter::type(const ir::Type& type) {
  doc(type.doc());
  if (type.has_enumeration()) return enumeration(type);
  if (type.has_structure()) return structure(type);
  object(type);
}

void Emitter::enumeration(const ir::Type& type) {
  line(attribute_words(type.attributes()) + "enum " + type.local_name() + " {");
  indent();
  const auto& items = type.enumeration().enumerators();
  for (int i = 0; i < items.size(); ++i) {
    doc(items[i].doc());
    line(items[i].name() + " = " + std::to_string(items[i].value()) +
         (i + 1 < items.size() ? "," : ""));
  }
  outdent();
  line("}");
}

void Emitter::structure(const ir::Type& type) {
  line(attribute_words(type.attributes()) + "struct " + type.local_name() + " {");
  indent();
  const std::vector<std::string_view> variables = member_names(type.structure());
  for (const ir::Member& member : type.structure().members()) {
    doc(member.doc());
    line(ir::declared_text(member.type(), member.name(), name_of(), variables) + ";");
  }
  outdent();
  line("}");
}

std::string Emitter::names(const google::protobuf::RepeatedPtrField<std::string>& list) const {
  std::string result;
  for (const std::string& item : list) result += (result.empty() ? "" : ", ") + name(item);
  return result;
}

// "extends demo.Solver", "implements A, B", "implements-all C": neighbours of a kind in one clause.
std::vector<std::string> Emitter::parents(const ir::Object& object) const {
  std::vector<std::string> result;
  if (object.kind() == ir::Object::INTERFACE) {
    const bool by_default =
        object.direct_interfaces_size() == 1 && object.direct_interfaces(0) == "sidl.BaseInterface";
    if (object.direct_interfaces_size() > 0 && !by_default) {
      result.push_back("extends " + names(object.direct_interfaces()));
    }
    return result;
  }
  const bool by_default = object.parent().empty() || object.parent() == "sidl.BaseClass";
  if (!by_default) result.push_back("extends " + name(object.parent()));
  std::string last;
  for (const std::string& item : object.direct_interfaces()) {
    const bool all =
        std::ranges::find(object.implements_all(), item) != object.implements_all().end();
    const std::string keyword = all ? "implements-all" : "implements";
    if (keyword == last) {
      result.back() += ", " + name(item);
    } else {
      result.push_back(keyword + " " + name(item));
    }
    last = keyword;
  }
  return result;
}

void Emitter::object(const ir::Type& type) {
  const ir::Object& object = type.object();
  const bool is_class = object.kind() == ir::Object::CLASS;
  std::vector<const ir::Method*> methods;
  for (const ir::Method& item : object.methods()) {
    if (!item.from_implements_all()) methods.push_back(&item);
  }
  const bool empty = methods.empty() && object.invariants_size() == 0;
  const std::string head = attribute_words(type.attributes()) +
                           (object.abstract() ? "abstract " : "") +
                           (is_class ? "class " : "interface ") + type.local_name();
  line(head, parents(object), empty ? " {}" : " {", 2 * kStep);
  if (empty) return;
  indent();
  clause("invariant", assertion_lines(object.invariants(), {}));
  // Documented methods are separated by blank lines, others are not.
  bool apart = object.invariants_size() > 0;
  for (const ir::Method* item : methods) {
    const bool block = !item->doc().empty() || item->require_size() > 0 || item->ensure_size() > 0;
    if (apart || block) printer_.blank_line();
    method(*item, is_class);
    apart = block;
  }
  outdent();
  line("}");
}

std::string Emitter::arguments(const ir::Method& method) const {
  const std::vector<std::string_view> variables = argument_names(method);
  std::string result;
  for (const ir::Argument& item : method.arguments()) {
    if (!result.empty()) result += ", ";
    result += attribute_words(item.attributes()) + (item.copy() ? "copy " : "");
    result += std::string(ir::mode_text(item.mode())) + " ";
    result += ir::declared_text(item.type(), item.name(), name_of(), variables);
  }
  return result;
}

void Emitter::method(const ir::Method& method, bool in_class) {
  doc(method.doc());
  std::string head = method_words(method, in_class) + ir::type_text(method.result(), name_of());
  head += " " + method.name();
  if (!method.extension().empty()) head += "[" + method.extension() + "]";
  head += "(" + arguments(method) + ")";
  std::vector<std::string> tails;
  if (method.throws_size() > 0) tails.push_back("throws " + names(method.throws()));
  if (method.has_from()) {
    tails.push_back("from " + name(method.from().interface()) + "." + renamed(method));
  }
  line(head, tails, ";", kStep);
  indent();
  const std::vector<std::string_view> variables = argument_names(method);
  clause("require", assertion_lines(method.require(), variables));
  std::vector<std::string> ensured = assertion_lines(method.ensure(), variables);
  if (method.is_pure()) ensured.push_back("is pure;");
  clause("ensure", ensured);
  outdent();
}

void Emitter::clause(const std::string& keyword, const std::vector<std::string>& assertions) {
  if (assertions.empty()) return;
  if (assertions.size() == 1) return line(keyword + " " + assertions.front());
  line(keyword);
  indent();
  for (const std::string& item : assertions) line(item);
  outdent();
}

}  // namespace

std::string emit(const FileModel& file, const Spelling& spelling) {
  return Emitter(spelling).file(file);
}

}  // namespace shinar::backends::sidl
