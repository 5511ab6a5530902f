// In: templates that look like the output, with `$name$` where something is to be filled in.
// Out: the text of one generated file, indented, wrapped at 100 columns, blank lines collapsed.
//
//   printer.emit({{"name", name}, {"body", [&] { emit_body(printer, method); }}}, R"(
//     void
//     $name$(void)
//     {
//       $body$
//     }
//   )");
//
// The newline after R"( and the common indentation of the template are dropped. A variable bound to
// a callable must be alone on its line; what the callable emits is indented like that line, and the
// line is dropped if it emits nothing. `$$` is a dollar sign. An unknown variable is a bug in the
// back end: std::logic_error.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "codegen/line_wrap.hpp"

namespace shinar::codegen {

class Printer {
 public:
  using Callable = std::function<void()>;
  using Wrap = std::string (*)(std::string_view line, std::size_t width);

  // `wrap` breaks long lines by the rules of the language (line_wrap.hpp).
  explicit Printer(Wrap wrap = wrap_code) : wrap_(wrap) {}

  // The value of a variable: text, or a callback that emits text.
  class Value {
   public:
    Value(std::string text) : value_(std::move(text)) {}
    Value(std::string_view text) : value_(std::string(text)) {}
    Value(const char* text) : value_(std::string(text)) {}
    template <typename F>
    requires std::is_invocable_v<F&> Value(F callable) : value_(Callable(std::move(callable))) {}

    const std::string* text() const { return std::get_if<std::string>(&value_); }
    const Callable* callable() const { return std::get_if<Callable>(&value_); }

   private:
    std::variant<std::string, Callable> value_;
  };

  using Vars = std::initializer_list<std::pair<std::string_view, Value>>;

  void emit(Vars vars, std::string_view text);
  void emit(std::string_view text) { emit({}, text); }

  // One or more lines, indented and wrapped, without substitution.
  void line(std::string_view text);
  // The same for a text that is no code.
  void prose(std::string_view text);
  void blank_line();
  // The end of a block, close to its last line.
  void end_line(std::string_view text);

  // Indents what follows, e.g. inside an optional namespace.
  void indent(int columns = 2) { indent_ += columns; }
  void outdent(int columns = 2) { indent_ -= columns; }

  const std::string& text() const { return out_; }
  std::string take() { return std::move(out_); }

 private:
  void emit_line(const Vars& vars, std::string_view line);
  void write_line(std::string_view line, Wrap wrap);

  Wrap wrap_;
  std::string out_;
  int indent_ = 0;
};

}  // namespace shinar::codegen
