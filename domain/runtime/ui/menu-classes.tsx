// The looks that dropdown, context and bar menus share.

const APPEARING =
  "data-[side=bottom]:slide-in-from-top-2 data-[side=left]:slide-in-from-right-2 data-[side=right]:slide-in-from-left-2 data-[side=top]:slide-in-from-bottom-2 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95";

const SURFACE = "z-50 min-w-[8rem] rounded-md border bg-popover p-1 text-popover-foreground";

export const MENU_CONTENT = `${SURFACE} overflow-x-hidden overflow-y-auto shadow-md ${APPEARING}`;
export const MENU_SUB_CONTENT = `${SURFACE} overflow-hidden shadow-lg ${APPEARING}`;

const ROW =
  "relative flex cursor-default items-center gap-2 rounded-sm py-1.5 text-sm outline-hidden select-none focus:bg-accent focus:text-accent-foreground data-[disabled]:pointer-events-none data-[disabled]:opacity-50 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4";

export const MENU_ITEM = `${ROW} px-2 data-[inset]:pl-8 data-[variant=destructive]:text-destructive data-[variant=destructive]:focus:bg-destructive/10 data-[variant=destructive]:focus:text-destructive dark:data-[variant=destructive]:focus:bg-destructive/20 data-[variant=destructive]:*:[svg]:text-destructive! [&_svg:not([class*='text-'])]:text-muted-foreground`;
export const MENU_CHOICE = `${ROW} pr-2 pl-8`;
export const MENU_SUB_TRIGGER = `${ROW} px-2 data-[inset]:pl-8 data-[state=open]:bg-accent data-[state=open]:text-accent-foreground`;
export const MENU_MARK = "pointer-events-none absolute left-2 flex size-3.5 items-center justify-center";
export const MENU_LABEL = "px-2 py-1.5 text-sm font-medium data-[inset]:pl-8";
export const MENU_SEPARATOR = "-mx-1 my-1 h-px bg-border";
export const MENU_SHORTCUT = "ml-auto text-xs tracking-widest text-muted-foreground";
