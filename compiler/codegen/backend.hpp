// In: a checked ir::Module and what the driver was asked for (client or server side).
// Out: the files to write, as path and content; a back end does no I/O.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/splicers.hpp"
#include "diagnostics/codes.hpp"
#include "ir/ir.hpp"

namespace shinar::codegen {

struct GeneratedFile {
  std::string path;  // relative to the output folder, '/' between folders
  std::string content;
  bool is_impl = false;  // goes to --impl-dir; user code in it is kept
};

// The previous text of an Impl file in which the user wrote outside of splicer marks.
struct Replaced {
  std::string path;  // as in GeneratedFile
  std::string text;
  std::size_t line = 0;  // the first that is not in the new file
};

// An Impl file whose marks are damaged.
struct DamagedImpl {
  std::string path;  // as in GeneratedFile
  std::string text;
  std::vector<SplicerError> errors;
};

// A class or method that was renamed.
struct Rename {
  std::string from;
  std::string to;
};

// The Impl file of a renamed class under its old name.
struct OldImpl {
  std::string path;
  std::string text;
};

struct Request {
  const ir::Module& module;
  bool server = false;  // false: client
  bool hooks = false;   // of the server side: methods get hooks (codegen/hooks.hpp)
  // The classes to implement, by absolute name; empty: all of those that code is generated for.
  std::set<std::string, std::less<>> classes;
  // Reads an existing Impl file, so that its splicer blocks can be kept.
  std::function<std::optional<std::string>(const std::string& path)> read_impl;
  std::vector<Rename> renames = {};
  // Reads the Impl file that corresponds to `path` under the old name of its class.
  std::function<std::optional<OldImpl>(const std::string& path)> read_old_impl = {};

  // True for a class for which skeletons and Impl files are requested.
  bool implements(const ir::Type& type) const {
    const bool is_class = type.has_object() && type.object().kind() == ir::Object::CLASS;
    return server && is_class && (classes.empty() || classes.contains(type.name()));
  }
};

// A back end's complaint about a place in the input. No span: the type is not from a source file.
struct Problem {
  Code code;
  ir::Span span;
  std::string message;
};

struct Result {
  std::vector<GeneratedFile> files;
  std::vector<Replaced> replaced;
  std::vector<Problem> problems;
  std::vector<DamagedImpl> damaged;  // not empty: nothing is written
  std::set<std::string> renamed;     // old names found in Impl files
};

// A generator of text from the IR: "ior", "c", "cxx".
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view language() const = 0;
  // What to do instead of implementing classes in this language; empty if it supports that.
  virtual std::string_view instead_of_server() const { return {}; }
  virtual Result generate(const Request& request) const = 0;
};

}  // namespace shinar::codegen
