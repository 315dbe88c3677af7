@echo off
rem Runs the command replay from a checkout on Windows; builds it on first use and when the sources
rem are others than those it was built from. NOT RUN BY CI, which has no Windows.
rem
rem   JAVA_HOME          the JDK (17 or later) to build and run with; otherwise the java on the PATH
rem   REPLAY_JAVA_OPTS   options for the JVM, such as -Xmx4g
rem
rem Exit code 70 when it cannot be built or started; otherwise the command's own. Output is UTF-8,
rem which the console shows rightly after chcp 65001.
rem
rem Paths stand in quotes and outside of parenthesized blocks, since they may hold blanks, ampersands
rem and parentheses; without delayed expansion exclamation marks are ordinary.
setlocal EnableExtensions DisableDelayedExpansion
set "ERRORLEVEL="
call :locate

set "jar=%root%replay-cli\target\replay.jar"
set "state=%root%.launcher"
set "sources=%state%\sources"
set "building=%state%\building"

set "java="
set "version="
set "major="
if not defined JAVA_HOME goto java_on_path
set "JAVA_HOME=%JAVA_HOME:"=%"
set "java=%JAVA_HOME%\bin\java.exe"
if exist "%java%" goto java_found
>&2 echo replay: JAVA_HOME is "%JAVA_HOME%", which has no bin\java.exe
goto fail

:java_on_path
for %%j in (java.exe) do set "java=%%~$PATH:j"
if defined java goto java_found
>&2 echo replay: needs Java 17 or later: no java on the PATH, JAVA_HOME not set
goto fail

:java_found
for %%j in ("%java%") do set "bin=%%~dpj"
rem The release file answers at once; asking java itself would start a JVM more for each command.
if not exist "%bin%..\release" goto ask_java
for /f "usebackq tokens=1,2 delims==" %%a in ("%bin%..\release") do (
  if "%%a"=="JAVA_VERSION" set "version=%%~b"
)
if defined version goto version_found

:ask_java
rem Without quotes: where a command begins with one, cmd takes off the first and the last.
pushd "%bin%"
for /f "tokens=2,3" %%a in ('.\java.exe -version 2^>^&1') do (
  if "%%a"=="version" set "version=%%~b"
)
popd

:version_found
for /f "delims=.-+_" %%m in ("%version%") do set "major=%%m"
if not defined major set "major=0"
if %major% GEQ 17 goto java_is_new
>&2 echo replay: needs Java 17 or later, but "%java%" is "%version%"
goto fail

:java_is_new
if exist "%building%\" goto other_build
if not exist "%jar%" goto build
if not exist "%sources%\" goto build
rem Lists what differs from what was built: 0 nothing, up to 7 something.
call :mirror /L
if %ERRORLEVEL% EQU 0 goto run

:build
where /q mvn
if not %ERRORLEVEL% EQU 0 goto no_maven
if not exist "%state%\" mkdir "%state%"
rem Of several processes one makes the folder.
mkdir "%building%" 2>nul
if not %ERRORLEVEL% EQU 0 goto other_build
>&2 echo replay: building, which takes about a minute ...
if exist "%jar%" del /f /q "%jar%"
rem Before the build: what is saved while it runs is another source for the next start.
call :mirror
if %ERRORLEVEL% GEQ 8 goto build_failed
set "MAVEN_OPTS=-XX:TieredStopAtLevel=1 %MAVEN_OPTS%"
pushd "%root%"
call mvn -B -q -ntp -Dstyle.color=never -Dquick -pl replay-cli -am clean package ^
  <nul >"%state%\build.log" 2>&1
set "result=%ERRORLEVEL%"
popd
if not "%result%"=="0" goto build_failed
if not exist "%jar%" goto build_failed
rmdir "%building%"

:run
rem The serial collector starts fastest; options of your own may name another one.
set "gc=-XX:+UseSerialGC"
if defined REPLAY_JAVA_OPTS set "gc="
"%java%" %gc% %REPLAY_JAVA_OPTS% -Dreplay.command=replay -jar "%jar%" %*
set "result=%ERRORLEVEL%"
goto end

:other_build
>&2 echo replay: another build is running, or was cut off: if none is running, delete "%building%"
goto fail

:no_maven
>&2 echo replay: needs Maven to build itself: no mvn on the PATH
goto fail

:build_failed
if exist "%jar%" del /f /q "%jar%"
if exist "%sources%\" rmdir /s /q "%sources%"
rmdir "%building%"
>&2 echo replay: the build failed, as "%state%\build.log" says:
if exist "%state%\build.log" >&2 type "%state%\build.log"
goto fail

rem In a subroutine, where it is right also when the command was called by its quoted name.
:locate
set "root=%~dp0"
exit /b 0

rem Copies what the command is built from, but for what a build or an editor writes. A dot behind the
rem folder, because a backslash would take the quote for its own.
:mirror
robocopy "%root%." "%sources%" /MIR /R:0 /W:0 %1 ^
  /XD .git .launcher .ci .idea .vscode .settings docs target test replay-benchmarks ^
  /XF *.md .flattened-pom.xml >nul
exit /b %ERRORLEVEL%

:fail
set "result=70"

rem The last command is a program: a caller that joins commands does not see the code of an exit /b.
:end
"%ComSpec%" /d /c exit %result%
