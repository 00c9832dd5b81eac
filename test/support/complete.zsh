# Prints what zsh offers for a line: zsh -f complete.zsh FOLDER LINE, with the script _plinth in FOLDER.
zmodload zsh/zpty
print -r -- 'PROMPT="=READY="
fpath=($ZDOTDIR $fpath)
autoload -Uz compinit && compinit -u -D
zstyle ":completion:*" insert-tab false
compadd () {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a hits
  builtin compadd -A hits "$@"
  (( $#hits )) && print -l -- "=HIT="${^hits}
  builtin compadd "$@"
}
shown () { print -- "=SHOWN=" }
comppostfuncs=(shown)' > $1/.zshrc
zpty inner "TERM=dumb ZDOTDIR=$1 zsh -i"
zpty -r inner output "*=READY=*"
zpty -w -n inner "$2"$'\t'
zpty -r inner output "*=SHOWN=*"
print -r -- $output | tr -d '\r' | sed -n 's/.*=HIT=//p'
zpty -d inner
