# sidl_install(): libraries made by sidl_add_library(), and programs, for others to use.
#
#   sidl_install(<target>... [PACKAGE <name>] [VERSION <version>] [FILES <file>...])
#
# PACKAGE  under which others find it, by find_package(); default: PROJECT_NAME
# VERSION  default: PROJECT_VERSION, else 0
# FILES    more headers or modules of yours that callers need
#
# What goes where under the prefix, all of it relative to where it lies, so that the tree may be moved
# or copied (only Shinar itself is looked for where it is now, or in the same prefix):
#
#   lib/                        libraries, and their catalogues (.scl): what SIDL_DLL_PATH names; jars
#   lib/<package>/python/       Python packages with their libraries and catalogues: what belongs on
#                               PYTHONPATH
#   bin/                        programs
#   include/<package>/<target>/ generated headers and Fortran modules (.mod)
#   include/<package>/          FILES
#   share/<package>/sidl/       the .sidl files
#   lib/cmake/<package>/        the CMake package
#
# Somebody else then writes
#
#   find_package(<package> REQUIRED)
#   target_link_libraries(main PRIVATE <package>::<target>)
#
# and has the variables <package>_SIDL_DIR (for INCLUDE), <package>_DLL_PATH (for SIDL_DLL_PATH) and
# <package>_PYTHON_PATH (for PYTHONPATH, Shinar's packages included).
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

function(sidl_install)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE;VERSION" "FILES")
  set(targets ${arg_UNPARSED_ARGUMENTS})
  set(package ${arg_PACKAGE})
  if(NOT package)
    set(package ${PROJECT_NAME})
  endif()
  set(version ${arg_VERSION})
  if(NOT version)
    set(version ${PROJECT_VERSION})
  endif()
  if(NOT version)
    set(version 0)
  endif()
  if(NOT targets)
    message(FATAL_ERROR "sidl_install(): no target is given")
  endif()
  get_property(done GLOBAL PROPERTY SIDL_INSTALLED_${package})
  if(done)
    message(FATAL_ERROR "sidl_install(${targets}): the package ${package} was installed by a call "
                        "before; name all its targets in one call, or another PACKAGE")
  endif()
  set_property(GLOBAL PROPERTY SIDL_INSTALLED_${package} TRUE)

  set(shinar $<TARGET_FILE_DIR:Shinar::sidl>)
  set(python_dir ${CMAKE_INSTALL_LIBDIR}/${package}/python)
  set(has_python FALSE)
  set(has_library FALSE)
  set(properties)  # lines of the CMake package
  foreach(target IN LISTS targets)
    _sidl_install_target()
  endforeach()
  if(arg_FILES)
    install(FILES ${arg_FILES} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${package})
  endif()
  _sidl_install_package()
endfunction()

#   sidl_install_python(<target> [DESTINATION <folder>])
#
# Installs the Python package of a target of LANGUAGE python with all that it needs but Shinar, whose
# libraries are found where they are now. DESTINATION is where packages go; default: ".", the root of
# a wheel.
function(sidl_install_python target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESTINATION" "")
  if(NOT arg_DESTINATION)
    set(arg_DESTINATION .)
  endif()
  get_target_property(modules ${target} SIDL_PYTHON_MODULES)
  if(NOT modules)
    message(FATAL_ERROR "sidl_install_python(${target}): it is no target of LANGUAGE python")
  endif()
  list(GET modules 0 first)
  string(REGEX REPLACE "[|].*" "" first ${first})
  set(shinar $<TARGET_FILE_DIR:Shinar::sidl>)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN;${shinar}")
  install(TARGETS ${target} LIBRARY DESTINATION ${arg_DESTINATION}/${first})
  _sidl_install_python_files(${target} ${arg_DESTINATION} "$ORIGIN/../${first};${shinar}")
endfunction()

# ---- what follows is private; macros read the variables of sidl_install() -------------------------

# The extension modules, with this rpath, and the files in Python of a target.
function(_sidl_install_python_files target destination rpath)
  get_target_property(modules ${target} SIDL_PYTHON_MODULES)
  get_target_property(files ${target} SIDL_PYTHON_FILES)
  foreach(module IN LISTS modules)
    string(REGEX MATCH "(.*)[|](.*)" module ${module})
    set_target_properties(${CMAKE_MATCH_2} PROPERTIES INSTALL_RPATH "${rpath}")
    install(TARGETS ${CMAKE_MATCH_2} LIBRARY DESTINATION ${destination}/${CMAKE_MATCH_1})
  endforeach()
  foreach(file IN LISTS files)
    string(REGEX MATCH "(.*)[|](.*)" file ${file})
    get_filename_component(folder ${CMAKE_MATCH_1} DIRECTORY)
    install(FILES ${CMAKE_MATCH_2} DESTINATION ${destination}/${folder})
  endforeach()
endfunction()

macro(_sidl_install_target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "sidl_install(): there is no target ${target}")
  endif()
  get_target_property(type ${target} TYPE)
  get_target_property(language ${target} SIDL_LANGUAGE)
  set(destination ${CMAKE_INSTALL_LIBDIR})
  set(rpath "$ORIGIN;${shinar}")
  if(type STREQUAL "EXECUTABLE")
    set(rpath "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/../${python_dir};${shinar}")
  elseif(language STREQUAL "python")
    set(destination ${python_dir})
    set(rpath "$ORIGIN;$ORIGIN/../..;${shinar}")
    _sidl_install_python_files(${target} ${python_dir} "$ORIGIN/..;$ORIGIN/../../..;${shinar}")
    set(has_python TRUE)
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${rpath}")
  set(export)
  if(NOT type STREQUAL "EXECUTABLE" AND NOT type STREQUAL "MODULE_LIBRARY")
    set(export EXPORT ${package}-targets)
    set(has_library TRUE)
  endif()
  install(TARGETS ${target} ${export}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${destination}
    ARCHIVE DESTINATION ${destination})
  if(language)
    _sidl_install_generated()
  elseif(export)
    target_include_directories(${target} INTERFACE
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/${package}>)
  endif()
endmacro()

# Headers, modules, .sidl files and the catalogue of a library that sidl_add_library() made.
macro(_sidl_install_generated)
  set(include_dir ${CMAKE_INSTALL_INCLUDEDIR}/${package}/${target})
  get_target_property(output_dir ${target} SIDL_OUTPUT_DIR)
  get_target_property(catalog ${target} SIDL_CATALOG)
  get_target_property(sidl_files ${target} SIDL_FILES)
  # None of these is in a folder: folders, which have no dot in their names, would be empty.
  install(DIRECTORY ${output_dir}/ DESTINATION ${include_dir}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hxx" PATTERN "*.inc" PATTERN "*.mod"
    REGEX "/[^/.]+$" EXCLUDE)
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${include_dir}>)
  get_target_property(module_dir ${target} SIDL_MODULE_DIR)
  if(module_dir)
    install(DIRECTORY ${module_dir}/ DESTINATION ${include_dir} FILES_MATCHING PATTERN "*.mod"
      PATTERN "*_impl.mod" EXCLUDE PATTERN "*_skel.mod" EXCLUDE)
  endif()
  install(FILES ${sidl_files} DESTINATION ${CMAKE_INSTALL_DATADIR}/${package}/sidl)
  if(catalog)
    install(FILES ${catalog} DESTINATION ${destination})
  endif()
  get_target_property(jar ${target} SIDL_JAR)
  if(jar)
    install(FILES ${jar} DESTINATION ${destination})
  endif()
  if(export)
    set(names)
    foreach(file IN LISTS sidl_files)
      get_filename_component(file ${file} NAME)
      list(APPEND names "\${${package}_SIDL_DIR}/${file}")
    endforeach()
    string(APPEND properties
      "set_target_properties(${package}::${target} PROPERTIES SIDL_LANGUAGE ${language}\n"
      "  SIDL_FILES \"${names}\")\n")
    if(jar)
      get_filename_component(jar ${jar} NAME)
      string(APPEND properties "set_target_properties(${package}::${target} PROPERTIES\n"
        "  SIDL_JAR \"\${${package}_PREFIX_DIR}/${destination}/${jar}\")\n")
    endif()
  endif()
endmacro()

# What find_package() finds.
macro(_sidl_install_package)
  set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/${package})
  set(target_lines)
  if(has_library)
    install(EXPORT ${package}-targets NAMESPACE ${package}:: DESTINATION ${cmake_dir})
    set(target_lines "include(\${CMAKE_CURRENT_LIST_DIR}/${package}-targets.cmake)")
  endif()
  set(python_lines)
  set(dll_path "\${${package}_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}")
  if(has_python)
    string(APPEND dll_path ";\${${package}_PREFIX_DIR}/${python_dir}")
    set(python_lines "set(${package}_PYTHON_PATH \
\"\${${package}_PREFIX_DIR}/${python_dir}:\${Shinar_PYTHON_DIR}\")")
  endif()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${package}.sidl-install)
  configure_package_config_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/ShinarSidlPackage.cmake.in
    ${generated}/${package}Config.cmake INSTALL_DESTINATION ${cmake_dir})
  write_basic_package_version_file(${generated}/${package}ConfigVersion.cmake
    VERSION ${version} COMPATIBILITY SameMajorVersion)
  install(FILES ${generated}/${package}Config.cmake ${generated}/${package}ConfigVersion.cmake
    DESTINATION ${cmake_dir})
endmacro()
