// `@/components/ui/use-toast`: where older documents look for it.
export { toast, useToast } from "./hooks/use-toast.ts";
