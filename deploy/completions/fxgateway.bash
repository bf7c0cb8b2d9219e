# bash completion for fxgateway; made by: fxgateway completions bash
_fxgateway() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'serve check-config plan status quota explain get refresh simulate healthcheck completions version help' -- "$cur")
        return
    fi
    # --name=value comes as three words.
    if [ "$cur" = = ]; then
        cur=
    elif [ "$prev" = = ]; then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case ${COMP_WORDS[1]}:$prev in
        check-config:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        plan:--recipe)
            mapfile -t COMPREPLY < <(compgen -W 'daily hourly live' -- "$cur")
            return ;;
        plan:--bases)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        plan:--tier)
            mapfile -t COMPREPLY < <(compgen -W 'live ecb_daily fred_daily' -- "$cur")
            return ;;
        plan:--live-ttl)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        plan:--quota)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        plan:--month)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        plan:--instances)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        plan:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        status:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        status:--token-file)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            return ;;
        status:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        quota:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        quota:--token-file)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            return ;;
        quota:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        explain:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        explain:--token-file)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            return ;;
        explain:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        get:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        get:--token-file)
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
            return ;;
        get:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        refresh:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        refresh:--output)
            mapfile -t COMPREPLY < <(compgen -W 'table json' -- "$cur")
            return ;;
        simulate:--listen)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--mode)
            mapfile -t COMPREPLY < <(compgen -W 'ecb live mixed' -- "$cur")
            return ;;
        simulate:--clock)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--seed)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--live-interval)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--monthly)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--per-minute)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--per-hour)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--key)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--shift)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
        simulate:--latency)
            mapfile -t COMPREPLY < <(compgen -W '' -- "$cur")
            return ;;
    esac
    case ${COMP_WORDS[1]} in
        serve) words='--help' ;;
        check-config) words='--output --help' ;;
        plan) words='--recipe --bases --tier --live-ttl --quota --month --instances --output --help' ;;
        status) words='--listen --token-file --output --help' ;;
        quota) words='--listen --token-file --output --help' ;;
        explain) words='--listen --token-file --output --help' ;;
        get) words='--listen --token-file --output --help' ;;
        refresh) words='--force --listen --output --help' ;;
        simulate) words='--listen --mode --clock --frozen --seed --live-interval --monthly --per-minute --per-hour --key --shift --latency --help' ;;
        healthcheck) words='--ready --help' ;;
        completions) words='--help bash zsh fish' ;;
        version) words='--help' ;;
        help) words='--man --help' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -F _fxgateway fxgateway
