/** What `sidl serve` offers: classes to create, objects to attach to. */
#ifndef SIDL_TOOL_PUBLISH_HPP
#define SIDL_TOOL_PUBLISH_HPP

#include <string>

namespace sidl_tool {

/** Loads a library to make its classes available. */
void load_library(const std::string& path);

/** Loads the library of "class=library", if one is named: classes of others may extend this one. */
void load_class_library(const std::string& text);

/** Lets peers create objects of a class: "pkg.Class" or "pkg.Class=library". */
void export_class(const std::string& text);

/** Makes an object and publishes it: "name=pkg.Class" or "name=pkg.Class=library". */
void publish_object(const std::string& text);

/** Releases it again: its destructor runs unless peers hold it. */
void withdraw_object(const std::string& text);

}  // namespace sidl_tool
#endif
