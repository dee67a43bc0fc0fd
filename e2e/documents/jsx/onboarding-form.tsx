import { useState, type FormEvent, type ReactNode } from "react";
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from "@/components/ui/card";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Textarea } from "@/components/ui/textarea";
import { Progress } from "@/components/ui/progress";
import { Checkbox } from "@/components/ui/checkbox";
import { RadioGroup, RadioGroupItem } from "@/components/ui/radio-group";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Separator } from "@/components/ui/separator";
import { CheckCircle2, ChevronLeft, ChevronRight } from "lucide-react";
import { cn } from "@/lib/utils";

interface FormData {
  name: string;
  email: string;
  company: string;
  size: "solo" | "small" | "large";
  goals: string[];
  notes: string;
  terms: boolean;
}

type Errors = Partial<Record<keyof FormData, string>>;

const STEPS = ["About you", "Your team", "Goals", "Review"] as const;
const GOALS = ["Share reports", "Review designs", "Publish prototypes", "Keep a changelog"];

const initial: FormData = { name: "", email: "", company: "", size: "small", goals: [], notes: "", terms: false };

function validate(step: number, data: FormData): Errors {
  const errors: Errors = {};
  if (step === 0) {
    if (data.name.trim().length < 2) errors.name = "Please enter your full name";
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(data.email)) errors.email = "Please enter a valid email address";
  }
  if (step === 1 && !data.company.trim()) errors.company = "A company name is required";
  if (step === 2 && data.goals.length === 0) errors.goals = "Choose at least one goal";
  if (step === 3 && !data.terms) errors.terms = "You must accept the terms";
  return errors;
}

function Field({ id, label, error, children }: { id: string; label: string; error?: string; children: ReactNode }) {
  return (
    <div className="space-y-2">
      <Label htmlFor={id} className={cn(error && "text-red-600")}>{label}</Label>
      {children}
      {error && <p role="alert" className="text-sm text-red-600">{error}</p>}
    </div>
  );
}

export default function OnboardingForm() {
  const [step, setStep] = useState<number>(0);
  const [data, setData] = useState<FormData>(initial);
  const [errors, setErrors] = useState<Errors>({});
  const [sent, setSent] = useState(false);

  const update = <K extends keyof FormData>(key: K, value: FormData[K]) => {
    setData((d) => ({ ...d, [key]: value }));
    setErrors((e) => ({ ...e, [key]: undefined }));
  };

  const next = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = validate(step, data);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    if (step === STEPS.length - 1) setSent(true);
    else setStep(step + 1);
  };

  if (sent) {
    return (
      <div className="flex min-h-screen items-center justify-center bg-muted/40 p-6">
        <Alert className="max-w-md">
          <CheckCircle2 className="h-4 w-4" />
          <AlertTitle>You are all set, {data.name.split(" ")[0]}!</AlertTitle>
          <AlertDescription>We have sent a confirmation to {data.email}.</AlertDescription>
        </Alert>
      </div>
    );
  }

  return (
    <div className="flex min-h-screen items-center justify-center bg-gradient-to-b from-zinc-50 to-zinc-200 p-6">
      <Card className="w-full max-w-xl shadow-xl">
        <form onSubmit={next} noValidate>
          <CardHeader>
            <CardDescription>Step {step + 1} of {STEPS.length}</CardDescription>
            <CardTitle className="text-2xl">{STEPS[step]}</CardTitle>
            <Progress value={((step + 1) / STEPS.length) * 100} className="mt-3 h-2" />
            <ol className="mt-3 flex justify-between text-xs text-muted-foreground">
              {STEPS.map((label, index) => (
                <li key={label} className={cn("font-medium", index === step && "text-foreground", index < step && "text-emerald-600")}>
                  {index < step ? "✓ " : ""}{label}
                </li>
              ))}
            </ol>
          </CardHeader>
          <CardContent className="space-y-5">
            {step === 0 && (
              <>
                <Field id="name" label="Full name" error={errors.name}>
                  <Input id="name" placeholder="Ada Lovelace" value={data.name} onChange={(e) => update("name", e.target.value)} />
                </Field>
                <Field id="email" label="Work email" error={errors.email}>
                  <Input id="email" type="email" placeholder="ada@example.com" value={data.email} onChange={(e) => update("email", e.target.value)} />
                </Field>
              </>
            )}
            {step === 1 && (
              <>
                <Field id="company" label="Company" error={errors.company}>
                  <Input id="company" value={data.company} onChange={(e) => update("company", e.target.value)} />
                </Field>
                <div className="space-y-3">
                  <Label>Team size</Label>
                  <RadioGroup value={data.size} onValueChange={(value) => update("size", value as FormData["size"])}>
                    {([["solo", "Just me"], ["small", "2–20 people"], ["large", "More than 20"]] as const).map(([value, label]) => (
                      <div key={value} className="flex items-center space-x-2">
                        <RadioGroupItem value={value} id={`size-${value}`} />
                        <Label htmlFor={`size-${value}`} className="font-normal">{label}</Label>
                      </div>
                    ))}
                  </RadioGroup>
                </div>
              </>
            )}
            {step === 2 && (
              <>
                <Field id="goals" label="What do you want to do?" error={errors.goals}>
                  <div className="grid grid-cols-2 gap-3">
                    {GOALS.map((goal) => (
                      <label key={goal} className="flex items-center gap-2 rounded-md border p-3 text-sm hover:bg-accent">
                        <Checkbox
                          checked={data.goals.includes(goal)}
                          onCheckedChange={(checked) => update("goals", checked ? [...data.goals, goal] : data.goals.filter((g) => g !== goal))}
                        />
                        {goal}
                      </label>
                    ))}
                  </div>
                </Field>
                <Field id="notes" label="Anything else?">
                  <Textarea id="notes" rows={3} value={data.notes} onChange={(e) => update("notes", e.target.value)} />
                </Field>
              </>
            )}
            {step === 3 && (
              <div className="space-y-3 text-sm">
                <dl className="grid grid-cols-2 gap-2">
                  <dt className="text-muted-foreground">Name</dt><dd>{data.name}</dd>
                  <dt className="text-muted-foreground">Email</dt><dd>{data.email}</dd>
                  <dt className="text-muted-foreground">Company</dt><dd>{data.company} ({data.size})</dd>
                  <dt className="text-muted-foreground">Goals</dt><dd>{data.goals.join(", ")}</dd>
                </dl>
                <Separator />
                <label className="flex items-center gap-2">
                  <Checkbox checked={data.terms} onCheckedChange={(checked) => update("terms", checked === true)} />
                  I accept the terms
                </label>
                {errors.terms && <p role="alert" className="text-red-600">{errors.terms}</p>}
              </div>
            )}
          </CardContent>
          <CardFooter className="flex justify-between">
            <Button type="button" variant="ghost" disabled={step === 0} onClick={() => setStep(step - 1)}>
              <ChevronLeft className="mr-1 h-4 w-4" /> Back
            </Button>
            <Button type="submit">
              {step === STEPS.length - 1 ? "Finish" : "Continue"} <ChevronRight className="ml-1 h-4 w-4" />
            </Button>
          </CardFooter>
        </form>
      </Card>
    </div>
  );
}
