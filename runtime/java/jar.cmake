# Compiles SOURCES (folders) to the jar FILE, and puts them into SOURCES_FILE.
set(classes ${OUT}/classes)
set(sources ${OUT}/sources)
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${classes} ${sources})
set(list)
foreach(folder IN LISTS SOURCES)
  file(GLOB_RECURSE files RELATIVE ${folder} ${folder}/*.java)
  foreach(file IN LISTS files)
    get_filename_component(inside ${file} DIRECTORY)
    file(COPY ${folder}/${file} DESTINATION ${sources}/${inside})
    string(APPEND list "${sources}/${file}\n")
  endforeach()
endforeach()
file(WRITE ${OUT}/files.txt "${list}")
file(WRITE ${OUT}/manifest.txt
  "Automatic-Module-Name: sidl\nImplementation-Title: Shinar\nImplementation-Version: ${VERSION}\n")
execute_process(
  COMMAND ${JAVAC} -J-XX:TieredStopAtLevel=1 --release 17 -Xlint:all -Werror -g -d ${classes} @${OUT}/files.txt
  COMMAND_ERROR_IS_FATAL ANY)
get_filename_component(folder ${FILE} DIRECTORY)
file(MAKE_DIRECTORY ${folder})
execute_process(COMMAND ${JAR} --create --file ${FILE} --manifest ${OUT}/manifest.txt -C ${classes} .
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${JAR} --create --file ${SOURCES_FILE} -C ${sources} .
                COMMAND_ERROR_IS_FATAL ANY)
