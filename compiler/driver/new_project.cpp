#include "driver/new_project.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <system_error>

#include "backends/registry.hpp"
#include "codegen/reserved_words.hpp"
#include "codegen/splicers.hpp"
#include "diagnostics/spelling.hpp"
#include "driver/compile.hpp"
#include "driver/load.hpp"
#include "driver/output.hpp"
#include "driver/tutorial.hpp"

namespace shinar::driver {
namespace fs = std::filesystem;
namespace {

std::string name_of(const std::string& folder) {
  const fs::path path = fs::path(folder).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// "Fortran" > "fortran", "c++" > "cxx".
std::string of_back_end(const std::string& language) {
  return std::string(backends::for_language(language).back()->language());
}

// Whether CMake has a target of this name, or the tutorial's program needs what is called so. Its
// own names have underscores, which packages have not.
bool is_needed(const std::string& name, const std::string& language) {
  const auto is_in = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, name) != words.end();
  };
  if (is_in({"INSTALL", "all", "clean", "help", "install", "preinstall"})) return true;
  if (language == "cxx") return name == "main";
  if (language == "python") {
    return is_in({"len", "np"}) || codegen::is_reserved(codegen::Words::python_module, name) ||
           codegen::is_reserved(codegen::Words::python_library, name);
  }
  if (language != "fortran") return false;
  constexpr std::string_view used[] = {"index", "merge", "real64", "size", "trim"};
  return std::ranges::any_of(used, [&](std::string_view word) {
    return std::ranges::equal(word, name, {}, {}, [](unsigned char c) { return std::tolower(c); });
  });
}

// The Impl file with the tutorial's code between its marks.
std::string filled(std::string text, const std::vector<std::string>& codes) {
  for (const std::string& code : codes) {
    for (const codegen::SplicerBlock& given : codegen::parse_splicers(code).blocks) {
      const codegen::SplicerFile file = codegen::parse_splicers(text);
      const auto found = std::ranges::find(file.blocks, given.name, &codegen::SplicerBlock::name);
      if (found == file.blocks.end()) continue;
      text.replace(found->begin, found->text.size(), given.text);
    }
  }
  return text;
}

// What the back ends refuse in a package of this name is reported.
void add_impl_files(const ir::Module& module, const std::string& language,
                    const std::vector<std::string>& codes, const fs::path& folder, FileSet& files,
                    const Program& program, Diagnostics& diagnostics) {
  const auto none = [](const std::string&) { return std::optional<std::string>(); };
  const codegen::Request request{
      .module = module, .server = true, .classes = {}, .read_impl = none};
  for (const codegen::Backend* backend : backends::for_language(language)) {
    const codegen::Result result = backend->generate(request);
    for (const codegen::Problem& problem : result.problems) {
      diagnostics.report(problem.code, program.place(problem.span), problem.message);
    }
    for (const codegen::GeneratedFile& file : result.files) {
      if (file.is_impl) files.put((folder / file.path).string(), filled(file.content, codes));
    }
  }
}

}  // namespace

std::string refused_project(const std::string& folder, const std::string& language) {
  const std::string name = name_of(folder);
  const auto is_of_one = [](unsigned char c) { return std::isalnum(c) != 0; };
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name[0])) == 0 ||
      !std::ranges::all_of(name, is_of_one)) {
    return "a project's name has letters and digits, and begins with a letter: not '" + folder +
           "'";
  }
  if (!is_needed(name, of_back_end(language))) return {};
  return "a project in " + language + " cannot be called '" + name +
         "', as what it consists of or CMake calls something else so: choose another name";
}

void new_project(const std::string& folder, const std::string& language, Sources& sources,
                 Diagnostics& diagnostics) {
  std::error_code none;
  if (fs::exists(folder, none) && !fs::is_empty(folder, none)) {
    diagnostics.report(Code::CannotWrite, std::nullopt,
                       in_quotes(folder) +
                           " is there already, and not an empty folder: choose "
                           "another name, or move it away");
    return;
  }
  const Tutorial tutorial = driver::tutorial(of_back_end(language), name_of(folder));
  FileSet files;
  Inputs inputs;
  for (const Tutorial::File& file : tutorial.files) {
    const std::string path = (fs::path(folder) / file.path).string();
    files.put(path, file.text);
    if (!path.ends_with(".sidl")) continue;
    inputs.files.push_back(file.path);
    inputs.texts.emplace(file.path, file.text);
  }
  files.put((fs::path(folder) / "README.md").string(), tutorial.page);
  Program program(sources);
  if (!program.load(inputs, diagnostics)) return;
  const std::optional<ir::Module> module = compile(program, diagnostics);
  if (!module || diagnostics.has_errors()) return;
  add_impl_files(*module, language, tutorial.codes, fs::path(folder) / "impl", files, program,
                 diagnostics);
  if (!diagnostics.has_errors()) files.write(diagnostics);
}

}  // namespace shinar::driver
