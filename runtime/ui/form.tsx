// `@/components/ui/form`, over react-hook-form
import { Slot } from "radix-ui";
import { type ComponentProps, createContext, use, useId } from "react";
import {
  Controller,
  type ControllerProps,
  type FieldPath,
  type FieldValues,
  FormProvider,
  useFormContext,
  useFormState,
} from "react-hook-form";
import { Label } from "./label.tsx";
import { part } from "./lib/part.ts";
import { cn } from "./lib/utils.ts";

export const Form = FormProvider;

const FieldContext = createContext<{ name: string } | null>(null);
const ItemContext = createContext<{ id: string } | null>(null);

export function FormField<Values extends FieldValues = FieldValues, Name extends FieldPath<Values> = FieldPath<Values>>(
  props: ControllerProps<Values, Name>,
) {
  return (
    <FieldContext value={{ name: props.name }}>
      <Controller {...props} />
    </FieldContext>
  );
}

export function useFormField() {
  const field = use(FieldContext);
  const item = use(ItemContext);
  if (!field) throw new Error("useFormField should be used within <FormField>");
  const { getFieldState } = useFormContext();
  const state = useFormState({ name: field.name });
  const id = item?.id ?? "";
  return {
    id,
    name: field.name,
    formItemId: `${id}-form-item`,
    formDescriptionId: `${id}-form-item-description`,
    formMessageId: `${id}-form-item-message`,
    ...getFieldState(field.name, state),
  };
}

const Item = part("div", "form-item", "grid gap-2");

export function FormItem(props: ComponentProps<"div">) {
  return (
    <ItemContext value={{ id: useId() }}>
      <Item {...props} />
    </ItemContext>
  );
}

export function FormLabel({ className, ...props }: ComponentProps<typeof Label>) {
  const { error, formItemId } = useFormField();
  return (
    <Label
      data-slot="form-label"
      data-error={!!error}
      className={cn("data-[error=true]:text-destructive", className)}
      htmlFor={formItemId}
      {...props}
    />
  );
}

export function FormControl(props: ComponentProps<typeof Slot.Root>) {
  const { error, formItemId, formDescriptionId, formMessageId } = useFormField();
  return (
    <Slot.Root
      data-slot="form-control"
      id={formItemId}
      aria-describedby={error ? `${formDescriptionId} ${formMessageId}` : formDescriptionId}
      aria-invalid={!!error}
      {...props}
    />
  );
}

export function FormDescription({ className, ...props }: ComponentProps<"p">) {
  const { formDescriptionId } = useFormField();
  return (
    <p
      data-slot="form-description"
      id={formDescriptionId}
      className={cn("text-sm text-muted-foreground", className)}
      {...props}
    />
  );
}

/** Shows the field's error, else its children, else nothing. */
export function FormMessage({ className, children, ...props }: ComponentProps<"p">) {
  const { error, formMessageId } = useFormField();
  const message = error ? (error.message ?? "") : children;
  if (!message) return null;
  return (
    <p data-slot="form-message" id={formMessageId} className={cn("text-sm text-destructive", className)} {...props}>
      {message}
    </p>
  );
}
