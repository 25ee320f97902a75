(setq mine "emacs")
