@echo off
rem Runs the command replay from a checkout on Windows; builds it on first use and when the sources
rem have changed since. NOT RUN BY CI, which has no Windows.
rem
rem   JAVA_HOME          the JDK (17 or later) to build and run with; otherwise the java on the PATH
rem   REPLAY_JAVA_OPTS   options for the JVM, such as -Xmx4g
rem
rem Exit code 70 when it cannot be built or started; otherwise the command's own. Output is UTF-8,
rem which the console shows correctly after chcp 65001.
rem
rem Paths are quoted and outside of parenthesized blocks, because they may contain blanks, ampersands
rem and parentheses; without delayed expansion, exclamation marks are ordinary.
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
rem The release file is fast to read; java -version would start one more JVM for each command.
if not exist "%bin%..\release" goto ask_java
for /f "usebackq tokens=1,2 delims==" %%a in ("%bin%..\release") do (
  if "%%a"=="JAVA_VERSION" set "version=%%~b"
)
if defined version goto version_found

:ask_java
rem Without quotes: if a command begins with a quote, cmd removes the first and the last one.
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
rem Lists the differences from the built sources: 0 if there are none, up to 7 otherwise.
call :mirror /L
if %ERRORLEVEL% EQU 0 goto run

:build
where /q mvn
if not %ERRORLEVEL% EQU 0 goto no_maven
if not exist "%state%\" mkdir "%state%"
rem Only one of several processes creates the folder.
mkdir "%building%" 2>nul
if not %ERRORLEVEL% EQU 0 goto other_build
>&2 echo replay: building, which takes about a minute ...
if exist "%jar%" del /f /q "%jar%"
rem Before the build: a source that is saved meanwhile differs at the next start.
call :mirror
if %ERRORLEVEL% GEQ 8 goto build_failed
set "MAVEN_OPTS=-XX:TieredStopAtLevel=1 %MAVEN_OPTS%"
pushd "%root%"
call mvn -B -q -ntp -Dstyle.color=never -Dquick -Dmaven.source.skip -pl replay-cli -am clean package ^
  <nul >"%state%\build.log" 2>&1
set "result=%ERRORLEVEL%"
popd
if not "%result%"=="0" goto build_failed
if not exist "%jar%" goto build_failed
rmdir "%building%"

:run
rem The serial collector starts fastest; REPLAY_JAVA_OPTS may select a different one.
set "gc=-XX:+UseSerialGC"
if defined REPLAY_JAVA_OPTS set "gc="
"%java%" %gc% %REPLAY_JAVA_OPTS% -Dreplay.command=replay -jar "%jar%" %*
set "result=%ERRORLEVEL%"
goto end

:other_build
>&2 echo replay: another build is running or was interrupted: if none is running, delete "%building%"
goto fail

:no_maven
>&2 echo replay: needs Maven to build itself: no mvn on the PATH
goto fail

:build_failed
if exist "%jar%" del /f /q "%jar%"
if exist "%sources%\" rmdir /s /q "%sources%"
rmdir "%building%"
>&2 echo replay: the build failed; its output, "%state%\build.log":
if exist "%state%\build.log" >&2 type "%state%\build.log"
goto fail

rem In a subroutine, where %~dp0 is correct even if the command was called by its quoted name.
:locate
set "root=%~dp0"
exit /b 0

rem Copies the sources of the command, without the files that a build or an editor writes. The dot
rem after the folder keeps its backslash from escaping the quote.
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
