import React, { useState, useEffect } from 'react';
import { Card, CardContent, CardDescription, CardFooter, CardHeader, CardTitle } from '@/components/ui/card';
import { Button } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { Label } from '@/components/ui/label';
import { Switch } from '@/components/ui/switch';
import { Slider } from '@/components/ui/slider';
import { Select, SelectContent, SelectGroup, SelectItem, SelectLabel, SelectTrigger, SelectValue } from '@/components/ui/select';
import { Separator } from '@/components/ui/separator';
import { Badge } from '@/components/ui/badge';
import { AlertDialog, AlertDialogAction, AlertDialogCancel, AlertDialogContent, AlertDialogDescription, AlertDialogFooter, AlertDialogHeader, AlertDialogTitle, AlertDialogTrigger } from '@/components/ui/alert-dialog';
import { Bell, Palette, Shield, User, Volume2 } from 'lucide-react';

const DEFAULTS = { name: 'Robin Meyer', email: 'robin@example.com', language: 'en', theme: 'system', fontSize: 16, volume: 60, newsletter: false, mentions: true, digest: true, twoFactor: false };

const sections = [
  { id: 'profile', label: 'Profile', icon: User },
  { id: 'appearance', label: 'Appearance', icon: Palette },
  { id: 'notifications', label: 'Notifications', icon: Bell },
  { id: 'security', label: 'Security', icon: Shield },
];

const Row = ({ title, description, children }) => (
  <div className="flex items-center justify-between gap-6 py-3">
    <div className="space-y-0.5">
      <Label className="text-sm font-medium">{title}</Label>
      <p className="text-sm text-muted-foreground">{description}</p>
    </div>
    {children}
  </div>
);

const App = () => {
  const [section, setSection] = useState('appearance');
  const [settings, setSettings] = useState(() => {
    try {
      return { ...DEFAULTS, ...JSON.parse(localStorage.getItem('settings') ?? '{}') };
    } catch (e) {
      return DEFAULTS;
    }
  });
  const [saved, setSaved] = useState(true);

  useEffect(() => {
    document.title = `Settings – ${section}`;
  }, [section]);

  const set = (key) => (value) => {
    setSettings((s) => ({ ...s, [key]: value }));
    setSaved(false);
  };
  const save = () => {
    localStorage.setItem('settings', JSON.stringify(settings));
    sessionStorage.setItem('settings.section', section);
    setSaved(true);
  };

  return (
    <div className="min-h-screen bg-muted/30 px-8 py-10">
      <div className="mx-auto max-w-4xl">
        <div className="flex items-center gap-3">
          <h1 className="text-3xl font-bold">Settings</h1>
          <Badge variant={saved ? 'secondary' : 'destructive'}>{saved ? 'Saved' : 'Unsaved changes'}</Badge>
        </div>
        <Separator className="my-6" />
        <div className="grid gap-8 md:grid-cols-[180px_1fr]">
          <nav className="space-y-1">
            {sections.map(({ id, label, icon: Icon }) => (
              <Button key={id} variant={section === id ? 'secondary' : 'ghost'} className="w-full justify-start" onClick={() => setSection(id)}>
                <Icon className="mr-2 h-4 w-4" />{label}
              </Button>
            ))}
          </nav>
          <Card>
            {section === 'profile' && (
              <>
                <CardHeader><CardTitle>Profile</CardTitle><CardDescription>How others see you.</CardDescription></CardHeader>
                <CardContent className="space-y-4">
                  <div className="space-y-2"><Label htmlFor="name">Name</Label><Input id="name" value={settings.name} onChange={(e) => set('name')(e.target.value)} /></div>
                  <div className="space-y-2"><Label htmlFor="email">Email</Label><Input id="email" type="email" value={settings.email} onChange={(e) => set('email')(e.target.value)} /></div>
                </CardContent>
              </>
            )}
            {section === 'appearance' && (
              <>
                <CardHeader><CardTitle>Appearance</CardTitle><CardDescription>Make it look the way you like it.</CardDescription></CardHeader>
                <CardContent className="divide-y">
                  <Row title="Theme" description="Follow the system, or choose.">
                    <Select value={settings.theme} onValueChange={set('theme')}>
                      <SelectTrigger className="w-40"><SelectValue /></SelectTrigger>
                      <SelectContent>
                        <SelectGroup>
                          <SelectLabel>Themes</SelectLabel>
                          <SelectItem value="system">System</SelectItem>
                          <SelectItem value="light">Light</SelectItem>
                          <SelectItem value="dark">Dark</SelectItem>
                        </SelectGroup>
                      </SelectContent>
                    </Select>
                  </Row>
                  <Row title="Font size" description={`${settings.fontSize} pixels`}>
                    <Slider className="w-40" min={12} max={24} step={1} value={[settings.fontSize]} onValueChange={([v]) => set('fontSize')(v)} />
                  </Row>
                  <Row title="Sound" description={`Volume ${settings.volume} %`}>
                    <div className="flex items-center gap-2">
                      <Volume2 className="h-4 w-4 text-muted-foreground" />
                      <Slider className="w-32" max={100} step={5} value={[settings.volume]} onValueChange={([v]) => set('volume')(v)} />
                    </div>
                  </Row>
                  <p className="pt-4" style={{ fontSize: settings.fontSize }}>The quick brown fox jumps over the lazy dog.</p>
                </CardContent>
              </>
            )}
            {section === 'notifications' && (
              <>
                <CardHeader><CardTitle>Notifications</CardTitle><CardDescription>What we may write to you about.</CardDescription></CardHeader>
                <CardContent className="divide-y">
                  <Row title="Mentions" description="When somebody names you."><Switch checked={settings.mentions} onCheckedChange={set('mentions')} aria-label="Mentions" /></Row>
                  <Row title="Weekly digest" description="Each Monday morning."><Switch checked={settings.digest} onCheckedChange={set('digest')} aria-label="Weekly digest" /></Row>
                  <Row title="Newsletter" description="Four times a year."><Switch checked={settings.newsletter} onCheckedChange={set('newsletter')} aria-label="Newsletter" /></Row>
                </CardContent>
              </>
            )}
            {section === 'security' && (
              <>
                <CardHeader><CardTitle>Security</CardTitle><CardDescription>Keep the account yours.</CardDescription></CardHeader>
                <CardContent>
                  <Row title="Two-factor sign-in" description="Ask for a code besides the password."><Switch checked={settings.twoFactor} onCheckedChange={set('twoFactor')} aria-label="Two-factor" /></Row>
                  <AlertDialog>
                    <AlertDialogTrigger asChild><Button variant="destructive" className="mt-4">Delete account</Button></AlertDialogTrigger>
                    <AlertDialogContent>
                      <AlertDialogHeader>
                        <AlertDialogTitle>Are you sure?</AlertDialogTitle>
                        <AlertDialogDescription>This cannot be undone.</AlertDialogDescription>
                      </AlertDialogHeader>
                      <AlertDialogFooter><AlertDialogCancel>Keep it</AlertDialogCancel><AlertDialogAction>Delete</AlertDialogAction></AlertDialogFooter>
                    </AlertDialogContent>
                  </AlertDialog>
                </CardContent>
              </>
            )}
            <CardFooter className="justify-end gap-2 border-t pt-6">
              <Button variant="outline" onClick={() => { setSettings(DEFAULTS); setSaved(false); }}>Reset</Button>
              <Button disabled={saved} onClick={save}>Save changes</Button>
            </CardFooter>
          </Card>
        </div>
      </div>
    </div>
  );
};

export default App;
