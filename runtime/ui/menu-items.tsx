// The looks and the items that dropdown, context and bar menus share; what opens a menu, and where, is each menu's own.
import { CheckIcon, ChevronRightIcon, CircleIcon } from "lucide-react";
import type { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactElement } from "react";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

const APPEARING =
  "data-[side=bottom]:slide-in-from-top-2 data-[side=left]:slide-in-from-right-2 data-[side=right]:slide-in-from-left-2 data-[side=top]:slide-in-from-bottom-2 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-95 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-95";

const SURFACE = "z-50 min-w-[8rem] rounded-md border bg-popover p-1 text-popover-foreground";

export const MENU_CONTENT = `${SURFACE} overflow-x-hidden overflow-y-auto shadow-md ${APPEARING}`;
const SUB_CONTENT = `${SURFACE} overflow-hidden shadow-lg ${APPEARING}`;

const ROW =
  "relative flex cursor-default items-center gap-2 rounded-sm py-1.5 text-sm outline-hidden select-none focus:bg-accent focus:text-accent-foreground data-[disabled]:pointer-events-none data-[disabled]:opacity-50 [&_svg]:pointer-events-none [&_svg]:shrink-0 [&_svg:not([class*='size-'])]:size-4";

const ITEM = `${ROW} px-2 data-[inset]:pl-8 data-[variant=destructive]:text-destructive data-[variant=destructive]:focus:bg-destructive/10 data-[variant=destructive]:focus:text-destructive dark:data-[variant=destructive]:focus:bg-destructive/20 data-[variant=destructive]:*:[svg]:text-destructive! [&_svg:not([class*='text-'])]:text-muted-foreground`;
const CHOICE = `${ROW} pr-2 pl-8`;
const SUB_TRIGGER = `${ROW} px-2 data-[inset]:pl-8 data-[state=open]:bg-accent data-[state=open]:text-accent-foreground`;
const MARK = "pointer-events-none absolute left-2 flex size-3.5 items-center justify-center";
const LABEL = "px-2 py-1.5 text-sm font-medium data-[inset]:pl-8";
const SEPARATOR = "-mx-1 my-1 h-px bg-border";
const SHORTCUT = "ml-auto text-xs tracking-widest text-muted-foreground";

/** The parts of Radix's menus that are alike in all of them. */
type Parts = Pick<
  typeof DropdownMenu,
  | "Group"
  | "Sub"
  | "SubContent"
  | "SubTrigger"
  | "Item"
  | "CheckboxItem"
  | "RadioGroup"
  | "RadioItem"
  | "ItemIndicator"
  | "Label"
  | "Separator"
>;
type Props<Name extends keyof Parts> = ComponentProps<Parts[Name]>;

interface Inset {
  inset?: boolean;
}

/** The items of a menu made of `Radix`; `menu` begins their data-slots, as in `menubar-item`. */
export function menuItems(Radix: Parts, menu: string) {
  function Item({
    className,
    inset,
    variant = "default",
    ...props
  }: Props<"Item"> & Inset & { variant?: "default" | "destructive" }): ReactElement {
    return (
      <Radix.Item
        data-slot={`${menu}-item`}
        data-inset={inset}
        data-variant={variant}
        className={cn(ITEM, className)}
        {...props}
      />
    );
  }

  function CheckboxItem({ className, children, ...props }: Props<"CheckboxItem">): ReactElement {
    return (
      <Radix.CheckboxItem data-slot={`${menu}-checkbox-item`} className={cn(CHOICE, className)} {...props}>
        <span className={MARK}>
          <Radix.ItemIndicator>
            <CheckIcon className="size-4" />
          </Radix.ItemIndicator>
        </span>
        {children}
      </Radix.CheckboxItem>
    );
  }

  function RadioItem({ className, children, ...props }: Props<"RadioItem">): ReactElement {
    return (
      <Radix.RadioItem data-slot={`${menu}-radio-item`} className={cn(CHOICE, className)} {...props}>
        <span className={MARK}>
          <Radix.ItemIndicator>
            <CircleIcon className="size-2 fill-current" />
          </Radix.ItemIndicator>
        </span>
        {children}
      </Radix.RadioItem>
    );
  }

  function Label({ className, inset, ...props }: Props<"Label"> & Inset): ReactElement {
    return <Radix.Label data-slot={`${menu}-label`} data-inset={inset} className={cn(LABEL, className)} {...props} />;
  }

  function SubTrigger({ className, inset, children, ...props }: Props<"SubTrigger"> & Inset): ReactElement {
    return (
      <Radix.SubTrigger
        data-slot={`${menu}-sub-trigger`}
        data-inset={inset}
        className={cn(SUB_TRIGGER, className)}
        {...props}
      >
        {children}
        <ChevronRightIcon className="ml-auto size-4" />
      </Radix.SubTrigger>
    );
  }

  return {
    Group: part(Radix.Group, `${menu}-group`),
    Item,
    CheckboxItem,
    RadioGroup: part(Radix.RadioGroup, `${menu}-radio-group`),
    RadioItem,
    Label,
    Separator: part(Radix.Separator, `${menu}-separator`, SEPARATOR),
    Shortcut: part("span", `${menu}-shortcut`, SHORTCUT),
    Sub: Radix.Sub,
    SubTrigger,
    SubContent: part(Radix.SubContent, `${menu}-sub-content`, SUB_CONTENT),
  };
}
