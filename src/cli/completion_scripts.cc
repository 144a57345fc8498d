#include "cli/completion.h"

namespace clever::cli {
namespace {

// The word PROGRAM in a script stands for the program's name.
std::string filled(std::string_view script, std::string_view program) {
  constexpr std::string_view kPlace = "PROGRAM";
  std::string text(script);
  for (auto at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, at)) {
    text.replace(at, kPlace.size(), program);
    at += program.size();
  }
  return text;
}

// readline splits words at = and :, but the program does not: the script joins the pieces, and
// removes everything before the last piece from the answers.
constexpr std::string_view kBash = R"sh(# bash completion for PROGRAM
_PROGRAM_completion() {
    local word previous current prefix answer
    local program=${COMP_WORDS[0]/#\~\//$HOME/} typed=${COMP_WORDS[COMP_CWORD]}
    local -a words=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( $word == [=:]* || $previous == [=:]* ) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        previous=$word
    done
    current=${words[-1]}
    [[ $typed == [=:]* ]] && typed=''
    prefix=${current%"$typed"}
    COMPREPLY=()
    while IFS= read -r answer; do
        if [[ $answer == :directories ]]; then
            while IFS= read -r answer; do
                COMPREPLY+=("$answer")
            done < <(compgen -d -- "$typed")
            compopt -o filenames 2>/dev/null
            continue
        fi
        answer=${answer%%$'\t'*}
        COMPREPLY+=("${answer#"$prefix"}")
    done < <("$program" complete -- "${words[@]}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *. ]] && compopt -o nospace 2>/dev/null
    return 0
}
complete -F _PROGRAM_completion PROGRAM
)sh";

constexpr std::string_view kZsh = R"sh(#compdef PROGRAM
_PROGRAM() {
    local line text summary
    local -a described
    for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == :directories ]]; then
            _files -/
            continue
        fi
        [[ -n $line ]] || continue
        text=${line%%$'\t'*}
        summary=${line#$text}
        summary=${summary#$'\t'}
        described+=("${text//:/\\:}${summary:+:$summary}")
    done
    (( ${#described} )) && _describe 'PROGRAM' described
}
if [[ $funcstack[1] == _PROGRAM ]]; then
    _PROGRAM "$@"
else
    compdef _PROGRAM PROGRAM
fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for PROGRAM
function __PROGRAM_candidates
    set -l words (commandline --tokenize --current-process --cut-at-cursor)
    set -l typed (commandline --current-token --cut-at-cursor)
    for line in ($words[1] complete -- $words[2..-1] "$typed" 2>/dev/null)
        if test "$line" = :directories
            __fish_complete_directories "$typed" ''
        else
            echo $line
        end
    end
end
complete --command PROGRAM --no-files --arguments '(__PROGRAM_candidates)'
)sh";

}  // namespace

std::string completion_script_bash(std::string_view program) { return filled(kBash, program); }
std::string completion_script_zsh(std::string_view program) { return filled(kZsh, program); }
std::string completion_script_fish(std::string_view program) { return filled(kFish, program); }

}  // namespace clever::cli
