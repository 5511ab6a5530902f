# The part of sidl_add_library() that is for Java; each macro reads its variables.

define_property(TARGET PROPERTY SIDL_JAR BRIEF_DOCS "The jar of a library made for Java")

# The JDK that the project uses: as find_package(Java) finds it.
macro(_sidl_find_java)
  if(NOT TARGET Shinar::sidl_java)
    message(FATAL_ERROR "sidl_add_library(${target}): this Shinar was built without a JDK")
  endif()
  find_package(Java 17 REQUIRED COMPONENTS Development)
  get_filename_component(_java_home ${Java_JAVAC_EXECUTABLE} REALPATH)
  get_filename_component(_java_home ${_java_home}/../.. ABSOLUTE)
  if(NOT EXISTS ${_java_home}/include/jni.h)
    message(FATAL_ERROR "sidl_add_library(${target}): ${_java_home} has no include/jni.h: it is a JRE, and "
                        "a JDK is needed (-DJAVA_HOME=<folder> chooses one)")
  endif()
  set(_jni_folders ${_java_home}/include ${_java_home}/include/linux)
endmacro()

# What the user wrote for the Impl files and put beside them.
macro(_sidl_find_own_java)
  set(_folders)
  foreach(_file IN LISTS outputs)
    if(_file MATCHES "_Impl\\.java$")
      get_filename_component(_folder ${_file} DIRECTORY)
      list(APPEND _folders ${_folder}/*.java)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES _folders)
  file(GLOB _own CONFIGURE_DEPENDS ${_folders})
  list(APPEND _java_files ${_own})
  list(REMOVE_DUPLICATES _java_files)
endmacro()

# The jars that the classes need: Shinar's, and those of CLASSPATH, which may be targets made for Java.
macro(_sidl_find_class_path)
  get_target_property(_sidlc Shinar::sidlc IMPORTED_LOCATION)
  get_filename_component(_prefix ${_sidlc}/../.. ABSOLUTE)
  set(_class_path ${_prefix}/lib/shinar/java/shinar.jar)
  foreach(_entry IN LISTS arg_CLASSPATH)
    if(TARGET ${_entry})
      get_target_property(_entry_jar ${_entry} SIDL_JAR)
      if(NOT _entry_jar)
        message(FATAL_ERROR "sidl_add_library(${target}): CLASSPATH names ${_entry}, which is no library for "
                            "Java")
      endif()
      list(APPEND _class_path ${_entry_jar})
      if(TARGET ${_entry}_jar)
        list(APPEND _class_path_targets ${_entry}_jar)
      endif()
    else()
      get_filename_component(_entry ${_entry} ABSOLUTE)
      list(APPEND _class_path ${_entry})
    endif()
  endforeach()
endmacro()

# <target>.jar beside the library. It says which library its packages need.
macro(_sidl_add_jar)
  set(_java_files ${outputs})
  list(FILTER _java_files INCLUDE REGEX "\\.java$")
  if(arg_SERVER)
    _sidl_find_own_java()
  endif()
  set(_class_path_targets)
  _sidl_find_class_path()
  set(_jar ${CMAKE_CURRENT_BINARY_DIR}/${target}.jar)
  set(_work ${output_dir}/jar)
  set(_resources)
  foreach(_file IN LISTS outputs)
    if(_file MATCHES "([^/]+)_java\\.c$")
      file(GENERATE OUTPUT ${_work}/META-INF/sidl/${CMAKE_MATCH_1}.properties
           CONTENT "library=$<TARGET_FILE_NAME:${target}>\n")
      list(APPEND _resources ${_work}/META-INF/sidl/${CMAKE_MATCH_1}.properties)
    endif()
  endforeach()
  string(REPLACE ";" ":" _class_path_text "${_class_path}")
  string(REPLACE ";" "\n" _list "${_java_files}")
  file(GENERATE OUTPUT ${_work}/files.txt CONTENT "${_list}\n")
  # javac ends before code from the slower of the JVM's compilers pays.
  add_custom_command(OUTPUT ${_jar}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${_work}/classes
    COMMAND ${Java_JAVAC_EXECUTABLE} -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC
            --release 17 -g -implicit:none -cp ${_class_path_text}
            -d ${_work}/classes @${_work}/files.txt
    COMMAND ${Java_JAR_EXECUTABLE} --create --file ${_jar} -C ${_work}/classes . -C ${_work} META-INF
    DEPENDS ${_java_files} ${_resources} ${_class_path} ${_class_path_targets}
    COMMENT "Compiling ${target}.jar"
    VERBATIM)
  add_custom_target(${target}_jar ALL DEPENDS ${_jar})
  add_dependencies(${target} ${target}_jar)
  set_target_properties(${target} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
    SIDL_JAR ${_jar}
    SIDL_CLASS_PATH "${_jar}:${_class_path_text}")
endmacro()
