#include "publish.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "sidl_BaseClass.hxx"
#include "sidl_BaseException.hxx"
#include "sidl_DLL.hxx"
#include "sidl_Loader.hxx"
#include "sidl_ior.h"
#include "sidl_rmi_ExportRegistry.hxx"
#include "sidl_rmi_InstanceRegistry.hxx"

namespace sidl_tool {
namespace {

/** The symbol that a library exports for a class it implements. */
std::string class_symbol(std::string class_name) {
  std::replace(class_name.begin(), class_name.end(), '.', '_');
  return class_name + "__class";
}

/** Why a library cannot be loaded. */
std::string why(const std::string& path) {
  if (dlopen(path.c_str(), RTLD_LAZY | RTLD_GLOBAL) != nullptr)
    return "it failed once, but can be loaded now";
  const std::unique_ptr<char, decltype(&std::free)> reason(sidl_explain_unloadable(dlerror()),
                                                           &std::free);
  return reason == nullptr ? "no memory" : reason.get();
}

sidl::DLL load(const std::string& path) {
  if (!std::filesystem::exists(path))
    throw std::runtime_error("library '" + path + "' does not exist");
  const std::string absolute = std::filesystem::absolute(path).string();
  sidl::DLL library = sidl::Loader::loadLibrary(absolute, true, true);
  if (library._is_nil())
    throw std::runtime_error("'" + path + "' cannot be loaded: " + why(absolute));
  return library;
}

/** " (did you mean 'draw.Square'?)", or nothing. */
std::string meant(const std::string& class_name) {
  const std::unique_ptr<char, decltype(&std::free)> near(sidl_class_near(class_name.c_str()),
                                                         &std::free);
  if (near == nullptr) return "";
  if (class_name == near.get())
    return " (only its stubs are loaded; another library implements it)";
  return " (did you mean '" + std::string(near.get()) + "'?)";
}

/** Loads the library and makes sure that the class is in it. */
void load_class(const std::string& class_name, const std::string& path) {
  const sidl::DLL library = load(path);
  const bool is_there = library.lookupSymbol(class_symbol(class_name)) != nullptr;
  const struct sidl_type_info* const type = sidl_type_find(class_name.c_str());
  if (!is_there && type != nullptr && type->kind == sidl_kind_interface) {
    throw std::runtime_error(class_name + " is an interface: name a class that implements it");
  }
  if (!is_there) {
    throw std::runtime_error("library '" + path + "' does not implement class " + class_name +
                             ": it has no symbol " + class_symbol(class_name) + meant(class_name));
  }
}

/** Parses "class[=library]" and loads the library; returns the class. */
std::string prepare_class(const std::string& text, const std::string& whole) {
  const std::size_t equals = text.find('=');
  std::string class_name = text.substr(0, equals);
  if (class_name.empty()) throw std::runtime_error("'" + whole + "' names no class");
  if (class_name.find('/') != std::string::npos || std::filesystem::exists(class_name)) {
    throw std::runtime_error("'" + class_name +
                             "' is a file, not a class: write pkg.Class=" + class_name);
  }
  if (equals != std::string::npos) load_class(class_name, text.substr(equals + 1));
  return class_name;
}

}  // namespace

void load_library(const std::string& path) {
  load(path);
}

void load_class_library(const std::string& text) {
  prepare_class(text, text);
}

void export_class(const std::string& text) {
  const std::string class_name = prepare_class(text, text);
  try {
    sidl::rmi::ExportRegistry::exportClass(class_name);
  } catch (const sidl::BaseException& exception) {
    if (sidl_type_find(class_name.c_str()) != nullptr) throw;
    throw std::runtime_error(exception.getNote() + "\nOr specify its library: --export " +
                             class_name + "=LIBRARY");
  }
}

void publish_object(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw std::runtime_error("'" + text + "' is not of the form name=pkg.Class");
  }
  const std::string name = text.substr(0, equals);
  const std::string class_name = prepare_class(text.substr(equals + 1), text);
  if (sidl_type_find(class_name.c_str()) == nullptr) {
    sidl::Loader::findLibrary(class_name, "ior/impl", sidl::Scope_SCLSCOPE,
                              sidl::Resolve_SCLRESOLVE);
  }
  const sidl_type_info* const type = sidl_type_find(class_name.c_str());
  if (type == nullptr) {
    throw std::runtime_error("class " + class_name + " is not known" + meant(class_name) +
                             ": use --publish " + name + "=" + class_name +
                             "=LIBRARY, or put its catalogue on SIDL_DLL_PATH");
  }
  sidl::exception_slot failure;
  void* const object = sidl_create(type, failure.ptr());
  failure.check<>();
  const sidl::BaseInterface owner(sidl::as_base(object));
  sidl::rmi::InstanceRegistry::registerInstance(sidl::babel_cast<sidl::BaseClass>(owner), name);
}

void withdraw_object(const std::string& text) {
  sidl::rmi::InstanceRegistry::removeInstance(text.substr(0, text.find('=')));
}

}  // namespace sidl_tool
